/** The question whether a plan may be carried out: the plan, to be approved, edited, or sent back with words. */
import type { PlanAnswer, PlanQuestion } from '@sidenote/agent';
import { clean } from './clean.js';
import type { DialogContent } from './dialog.js';
import { MODE_WORDS } from './status-lines.js';
import type { Theme } from './theme.js';

/** Lines of a plan that are shown at first. */
const MOST = 20;

export function planContent(
  question: PlanQuestion,
  {
    theme,
    expanded,
    edit,
  }: {
    readonly theme: Theme;
    /** Show all of a long plan. */
    expanded(): boolean;
    /** Opens the plan in the person's editor; gives the text that is there afterwards. */
    edit(question: PlanQuestion): Promise<string>;
  },
): DialogContent<PlanAnswer> {
  let { plan } = question;
  return {
    lines() {
      const all = clean(plan).trimEnd().split('\n');
      const most = expanded() ? Number.POSITIVE_INFINITY : MOST;
      return [
        theme.bold('Carry out this plan?'),
        theme.dim(clean(question.file)),
        ...all.slice(0, most).map((line) => `  ${line}`),
        ...(all.length > most ? [theme.dim(`  … ${all.length - most} more lines; ctrl+o shows all of it`)] : []),
      ];
    },
    choices: [
      { type: 'answer', label: `yes: ${MODE_WORDS[question.freely]}`, answer: { type: 'approved', mode: question.freely } },
      { type: 'answer', label: `yes: ${MODE_WORDS.default}`, answer: { type: 'approved', mode: 'default' } },
      { type: 'act', label: 'edit it first', act: async () => void (plan = await edit(question)) },
      { type: 'words', label: 'no, and say what should be different', asks: 'What should be different?' },
    ],
    refuse: (words) => ({ type: 'rejected', ...(words === undefined ? {} : { words }) }),
    escape: 'no, and stop here',
  };
}
