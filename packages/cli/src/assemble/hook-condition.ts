/** The `if` of a hook: a permission rule that the call has to fall under. */
import { createPermissions, type AnyTool } from '@sidenote/agent';
import type { HookCall } from '@sidenote/node';

export type ConditionOptions = { readonly cwd: string; readonly home: string; readonly tools: () => readonly AnyTool[] };

/**
 * A call falls under a rule that would forbid it, as a whole or in a part of its command. What can't be told apart runs the
 * hook: one that guards something must not be passed by.
 */
export function hookCondition({ cwd, home, tools }: ConditionOptions): (rule: string, call: HookCall) => Promise<boolean> {
  return async (rule, { subject, fields }) => {
    const tool = tools().find(({ spec }) => spec.name === subject);
    const permissions = createPermissions({ cwd, home, mode: 'bypassPermissions', rules: { deny: [rule] } });
    if (tool === undefined || permissions.problems.length > 0) return true;
    const parsed = tool.parse(fields['tool_input']);
    if (!parsed.ok) return true;
    const call = { id: '', name: tool.spec.name, input: fields['tool_input'] };
    return (await permissions.judge(call, tool, parsed.input)).type !== 'allow';
  };
}
