/** The words that ask for a summary, and the form in which it begins the next window. */
import type { Content } from '../content/content.js';
import { head, isBlank } from '../content/text.js';

export type SummaryRequest = {
  /** What a person or a hook wants of this summary. */
  readonly wishes?: readonly string[];
  /** A turn is running: the work goes on right after it. */
  readonly running: boolean;
};

const SECTIONS = [
  '1. Goals: what the person wants, the newest words last; what is settled and what changed on the way.',
  '2. Rules of the person: every instruction, preference, limit and correction that still holds, word for word.',
  '3. Decisions: what was decided and why, and what was tried and given up.',
  '4. Files: each file that matters, by full path, with what was changed in it and what state it is in; names of functions, commands and settings that are needed again.',
  '5. Findings: errors met and how they were solved, results of tests and commands, facts that took effort to find.',
  '6. Open work: what is unfinished, what the next step is, and what the person waits for.',
];

/** In our own words, addressed to the model that had the conversation. */
export function summaryRequest({ wishes = [], running }: SummaryRequest): string {
  const asked = wishes.filter((wish) => !isBlank(wish));
  return [
    'The context window is nearly full, so this conversation is about to be replaced by a summary that you write now. Whoever goes on has nothing but that summary, and a few newest messages. Write what is needed to go on without asking again, under these headings:',
    SECTIONS.join('\n'),
    'Be exact and concrete: paths, names, numbers and quotations instead of descriptions. Leave out greetings, repetitions and whatever is of no more use. Instruction files, dates, lists of tools and skills, and the newest files are shown again by the client: do not repeat them. An earlier summary is part of the conversation: carry over what still holds.',
    ...(running ? ['The work is in the middle of a step: end with what was being done and what comes next.'] : []),
    ...(asked.length === 0 ? [] : [`For this summary the person asks in particular:\n${asked.join('\n')}`]),
    'Answer with the text of the summary alone, and call no tool.',
  ].join('\n\n');
}

/** The summary in an answer: inside `<summary>` tags where a model writes some; undefined when there is no word. */
export function summaryIn(answer: string): string | undefined {
  const tagged = /<summary>([\s\S]*?)(?:<\/summary>|$)/i.exec(answer)?.[1];
  const text = (tagged !== undefined && !isBlank(tagged) ? tagged : answer).trim();
  return isBlank(text) ? undefined : text;
}

export type SummaryParts = {
  /** Words of the person that are still to be answered, and not part of the tail. */
  readonly words?: readonly string[];
  /** Tokens that the model's window holds. Default: as many as it takes. */
  readonly window?: number;
};

/** What begins the next window. A summary that would fill it again, as a model that goes astray may write, is cut. */
export function summaryContent(summary: string, { words = [], window = Infinity }: SummaryParts = {}): readonly Content[] {
  const most = Math.min(LONGEST, Math.max(SHORTEST, window * SHARE));
  const parts = [
    `The conversation before this was replaced by a summary, to make room. What was shown in it, files included, is no longer here.\n\n${cut(summary, { most, what: 'the summary' })}`,
    ...(words.length === 0
      ? []
      : [
          `The person's newest words, which are being worked on:\n\n${words.map((text) => cut(text, { most: MOST, what: 'these words' })).join('\n\n')}`,
        ]),
  ];
  return parts.map((text) => ({ type: 'text', text }));
}

/** Characters of a person's words that are carried over. */
const MOST = 20_000;
/** Characters of a summary: for each token of the window, at least, and at most. */
const SHARE = 0.35;
const SHORTEST = 20_000;
const LONGEST = 100_000;

function cut(text: string, { most, what }: { readonly most: number; readonly what: string }): string {
  if (text.length <= most) return text;
  const start = head(text, most);
  return `${start}\n[${text.length - start.length} more characters of ${what} are left out]`;
}
