/** `ExitPlanMode`: puts the plan before the person. The mode changes with their yes, and with nothing else. */
import { planEffect, type ToolOutcome } from '@sidenote/engine';
import { readTextFile, viewed } from '@sidenote/node';
import { inputOf, optional, text } from '../tools/input.js';
import { refused, said } from '../tools/outcome.js';
import { maxReadBytes } from '../tools/read.js';
import { saveText } from '../tools/save-text.js';
import type { Tool, ToolContext } from '../tools/tool.js';
import type { Mode } from '../permissions/contract.js';
import { modeFold } from '../permissions/session-mode.js';
import type { PlanOptions } from './contract.js';

export type ExitPlanModeInput = { readonly plan: string | undefined };

export function exitPlanModeTool(options: PlanOptions): Tool<ExitPlanModeInput> {
  const input = inputOf('ExitPlanMode', { plan: optional(text('markdown; default: what the plan file holds')) });
  return {
    spec: {
      name: 'ExitPlanMode',
      description: 'In plan mode, when the plan is complete: ask the person to approve it. Not for research alone.',
      input_schema: input.schema,
    },
    access: 'read',
    parse: (value) => input.parse(value ?? {}),
    title: ({ plan = '' }) => `ExitPlanMode\n${plan}`.trimEnd(),
    run: ({ plan }, context) => propose(plan, options, context),
  };
}

async function propose(given: string | undefined, options: PlanOptions, context: ToolContext): Promise<ToolOutcome> {
  const { session, mode, planFile, askPlan, setMode } = options;
  if (context.thread !== session().main.id) return refused('Only the main conversation leaves plan mode: give the plan as your answer.');
  if (mode() !== 'plan') return refused(`Plan mode is not on; the mode is ${mode()}. Go on with the work.`);
  const written = await keepPlan(given, planFile, context);
  if (written.type === 'failed') return refused(written.why);
  const { plan, effects } = written;
  if (askPlan === undefined)
    return refused(
      `Nobody is there to approve the plan, so plan mode stays on. The plan is kept in ${planFile}. End here, with the plan as your answer: a later run without plan mode can carry it out.`,
      { effects },
    );
  const freely = freelyAfter(session().main.transcript.read(modeFold).besidesPlan);
  const answer = await askPlan({ plan, file: planFile, freely }, context.signal);
  const isLate = context.signal.aborted || mode() !== 'plan';
  const outcome = answer.type === 'approved' && !isLate ? 'approved' : 'rejected';
  const after = await readTextFile(planFile, { maxBytes: maxReadBytes });
  const edited =
    after.type === 'text' && after.text !== plan ? `\n\nThe person edited the plan in ${planFile}. It is now:\n\n${after.text}` : '';
  const seen = edited === '' ? [] : [await viewed(planFile, context.blobs)];
  const told = [...effects, ...seen, planEffect({ file: planFile, outcome })];
  if (answer.type === 'approved' && !isLate) {
    await setMode(answer.mode);
    return said(`The person approved the plan.${edited}`, { effects: told });
  }
  const words = answer.type === 'rejected' ? (answer.words?.trim() ?? '') : '';
  const why = words === '' ? 'The person did not approve the plan.' : `The person did not approve the plan and said: ${words}`;
  return refused(`${why}${mode() === 'plan' ? ' Plan mode stays on.' : ''}${edited}`, { effects: told });
}

/** What held before the plan, where it asked for no edits. */
function freelyAfter(before: Mode | undefined): Mode {
  return before === 'auto' || before === 'bypassPermissions' || before === 'dontAsk' ? before : 'acceptEdits';
}

type Kept =
  | { readonly type: 'kept'; readonly plan: string; readonly effects: NonNullable<ToolOutcome['effects']> }
  | { readonly type: 'failed'; readonly why: string };

/** The plan stands in its file before anyone is asked. */
async function keepPlan(given: string | undefined, file: string, { blobs }: ToolContext): Promise<Kept> {
  const before = await readTextFile(file, { maxBytes: maxReadBytes });
  const known = before.type === 'text' ? before : undefined;
  if (given === undefined || given.trim() === '') {
    if (known === undefined || known.text.trim() === '')
      return { type: 'failed', why: `There is no plan yet: write it to ${file}, or give it as plan.` };
    return { type: 'kept', plan: known.text, effects: [] };
  }
  if (known === undefined && before.type !== 'missing') return { type: 'failed', why: `${file} can't hold a plan: it is no text file.` };
  if (known?.text === given) return { type: 'kept', plan: given, effects: [] };
  const saved = await saveText({ path: file, text: given, before: known, known: undefined }, { blobs });
  if (saved.type === 'failed') return { type: 'failed', why: `${file} can't be written: ${saved.why}.` };
  return { type: 'kept', plan: given, effects: saved.effects };
}
