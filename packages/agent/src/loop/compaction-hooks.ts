/** The hooks around a compaction: before it, when they may object; with the window that it begins; and after it. */
import type { TurnOptions } from './agent.js';
import type { AgentEvent, CompactionTrigger } from './events.js';
import { startHooks, takeHooks, tellTexts } from './hooks.js';

type Around = Pick<TurnOptions, 'hooks' | 'session' | 'thread'> & {
  readonly trigger: CompactionTrigger;
  readonly signal: AbortSignal;
  readonly wishes?: readonly string[];
};

/** As hooks know it. */
const triggerOf = ({ trigger }: Around): 'manual' | 'auto' => (trigger === 'manual' ? 'manual' : 'auto');

/** Why there is to be none; undefined: nothing stands against it. */
export async function* beforeCompaction(around: Around): AsyncGenerator<AgentEvent, string | undefined, void> {
  const { hooks, signal, wishes = [] } = around;
  if (hooks === undefined) return undefined;
  const trigger = triggerOf(around);
  const fields = { trigger, custom_instructions: wishes.join('\n') };
  const { blocks, stop } = yield* takeHooks(startHooks(hooks, { event: 'PreCompact', subject: trigger, fields }), signal);
  const said = blocks[0] ?? stop;
  return said === undefined ? undefined : `the hook ${said.hook} objects: ${said.text}`;
}

/** What the hooks of a session's start say to a window that begins anew goes out with its first message. */
export async function* beforeBoundary({ hooks, session, thread, signal }: Around): AsyncGenerator<AgentEvent, void, void> {
  if (hooks === undefined || thread !== session.main) return;
  const started = startHooks(hooks, { event: 'SessionStart', subject: 'compact', fields: { source: 'compact' } });
  const outcome = yield* takeHooks(started, signal);
  if (!signal.aborted) tellTexts(thread, outcome);
}

/** Nobody waits for these. */
export function afterCompaction(around: Around, summary: string): void {
  const trigger = triggerOf(around);
  around.hooks?.post({ event: 'PostCompact', subject: trigger, fields: { trigger, compact_summary: summary } });
}
