/** A question of the model: its options, several of them where it allows that, or other words. */
import type { AskedQuestion, QuestionAnswer } from '@sidenote/agent';
import { clean } from './clean.js';
import type { Choice, DialogContent } from './dialog.js';
import type { Theme } from './theme.js';

export function questionContent(asked: AskedQuestion, theme: Theme): DialogContent<QuestionAnswer> {
  const { question, header, options, isMultiple } = asked;
  const picked = new Set<number>();
  const labelOf = ({ label, description }: AskedQuestion['options'][number]): string =>
    `${inOneLine(label)}${description === undefined ? '' : theme.dim(`  ${inOneLine(description)}`)}`;
  const words: Choice<QuestionAnswer> = { type: 'words', label: 'something else', asks: 'What is the answer?' };
  const only = (): readonly Choice<QuestionAnswer>[] =>
    options.map((option) => ({ type: 'answer', label: labelOf(option), answer: { type: 'chosen', labels: [option.label] } }));
  const several = (): readonly Choice<QuestionAnswer>[] => [
    ...options.map((option, at): Choice<QuestionAnswer> => ({
      type: 'act',
      label: `${picked.has(at) ? '[x]' : '[ ]'} ${labelOf(option)}`,
      act: async () => void (picked.delete(at) || picked.add(at)),
    })),
    {
      type: 'answer',
      label: picked.size === 0 ? 'none of them' : 'that is all',
      answer: { type: 'chosen', labels: options.filter((_, at) => picked.has(at)).map(({ label }) => label) },
    },
  ];
  return {
    lines: () => {
      const [first = '', ...rest] = clean(question).split('\n');
      return [theme.bold(`${header === undefined ? '' : `${inOneLine(header)}: `}${first}`), ...rest];
    },
    get choices() {
      return [...(isMultiple && options.length > 0 ? several() : only()), words];
    },
    refuse: (said) => (said === undefined ? { type: 'declined' } : { type: 'said', words: said }),
    escape: 'no answer, and stop here',
  };
}

/** A second line of a label would look like an option of its own. */
const inOneLine = (text: string): string => clean(text).replaceAll(/\s+/g, ' ').trim();
