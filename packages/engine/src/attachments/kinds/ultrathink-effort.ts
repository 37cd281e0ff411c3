/** More thought for one turn, on a word of the person: `ultrathink` in their prompt, as a word and not in code or a path. */
import { defineAttachment } from '../contract.js';
import { strings } from '../parts/kept.js';
import { ownWords } from '../parts/own-words.js';
import type { KindOptions } from '../ports.js';

const KIND = 'ultrathink_effort';
const LEVELS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

type Data = { readonly word: string; readonly level: string };

export const ultrathinkEffort = defineAttachment({
  kind: KIND,
  version: 1,
  needs: ['options'],
  options: ['words', 'level'],
  group: 'thread',
  wait: 'may',
  trust: 'client',
  told: { name: KIND, scope: 'window', on: [], initial: () => ({}), step: (state) => state },
  decode: (data) => data,
  collect({ prompts }, _told, { options }) {
    const { words, level } = wanted(options);
    const said = withoutCode(prompts.flatMap(ownWords).join('\n'));
    const word = words.find((one) => holds(said, one));
    return word === undefined ? { type: 'nothing' } : { type: 'new', data: { word, level } };
  },
  render({ level }: Data) {
    const text = `The person asks for effort at the level ${level} in this turn: think it through, weigh other ways, and check the result before you answer.`;
    return { content: [{ type: 'text', text }] };
  },
  title: ({ level }) => `effort ${level} for this turn`,
  reason: ({ word }) => `the prompt holds the word ${word}`,
});

function wanted(options: KindOptions): { readonly words: readonly string[]; readonly level: string } {
  const { words, level } = options.of(KIND);
  const own = strings(words)?.filter((word) => word.trim() !== '');
  return { words: own ?? ['ultrathink'], level: LEVELS.find((one) => one === level) ?? 'max' };
}

/** As a word of its own: no part of a name, a path, a file or a flag. */
function holds(text: string, word: string): boolean {
  const plain = word.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const [before, after] = [String.raw`(?<![\p{L}\p{N}_./\\@#$:=\-])`, String.raw`(?![\p{L}\p{N}_/\\@=(\-]|[.:][\p{L}\p{N}_])`];
  return new RegExp(`${before}${plain}${after}`, 'iu').test(text);
}

/** A word in code is quoted, not said. */
const withoutCode = (text: string): string => text.replaceAll(/```[^]*?(?:```|$)|`[^`\n]*`/g, ' ');
