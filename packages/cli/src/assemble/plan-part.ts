/** Planning as a part of a session: the tools that begin and end it, and the mode as kinds of context read it. */
import { constants, copyFileSync } from 'node:fs';
import { enterPlanModeTool, exitPlanModeTool, type AskPlan, type PlanOptions } from '@sidenote/agent';
import type { Part, PartOptions } from './part.js';
import { planFile } from './plan-file.js';
import { modePort } from './session-mode.js';

export type PlanPartOptions = PartOptions & {
  readonly planFile: string;
  /** The plans' folder, and the session that this one is a copy of. */
  readonly forkOf?: { readonly folder: string; readonly session: string };
  readonly askPlan?: AskPlan;
};

/** Tools of the main thread alone: the mode and the plan are the session's. */
export const PLAN_TOOLS: readonly string[] = ['EnterPlanMode', 'ExitPlanMode'];

export function planPart(options: PlanPartOptions): Part {
  const { permissions, session, forkOf, askPlan, tools } = options;
  if (forkOf !== undefined) copyPlan(planFile(forkOf.folder, forkOf.session), options.planFile);
  const opened: PlanOptions['session'] = () => {
    const open = session();
    if (open === undefined) throw new Error('the session is not open yet');
    return open;
  };
  const plan: PlanOptions = {
    session: opened,
    mode: () => permissions.mode,
    setMode: (mode) => opened().set('mode', mode),
    planFile: options.planFile,
    ...(askPlan === undefined ? {} : { askPlan }),
  };
  const leave = exitPlanModeTool(plan);
  const ports = modePort(
    () => permissions.mode,
    () => ({ file: options.planFile, ...(tools().some(({ spec }) => spec.name === leave.spec.name) ? { tool: leave.spec.name } : {}) }),
  );
  return { tools: [enterPlanModeTool(plan), leave], ports };
}

/** A copy of a session goes on with a copy of its plan. */
function copyPlan(from: string, to: string): void {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  } catch {
    // There is no plan, or the copy has one already.
  }
}
