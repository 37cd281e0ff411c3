/** The lines of a skill listing inside a number of characters: every name stays, descriptions shorten evenly and keep what says when. */
import { head } from '../../content/text.js';
import type { ListedSkill } from '../ports.js';

/** Characters of one description, whatever room there is. */
const LONGEST = 1_536;
/** Characters: a shorter rest of a description says nothing. */
const SHORTEST = 24;

export type SkillLines = {
  readonly lines: readonly string[];
  readonly shortened: readonly string[];
  /** Names without a description, though they have one. */
  readonly bare: readonly string[];
};

/** `characters` counts names and descriptions. Each line is one line, whatever a description holds. */
export function skillLines(skills: readonly ListedSkill[], characters: number): SkillLines {
  const entries = skills.map(({ name, description }) => ({ name, text: description.replace(/\s+/g, ' ').trim() }));
  const names = entries.reduce((sum, { name }) => sum + name.length + '- : '.length, 0);
  const even = evenShare(
    entries.map(({ text }) => Math.min(text.length, LONGEST)),
    characters - names,
  );
  const limit = Math.min(LONGEST, even);
  const shortened: string[] = [];
  const bare: string[] = [];
  const lines = entries.map(({ name, text }) => {
    if (text.length <= limit) return text === '' ? `- ${name}` : `- ${name}: ${text}`;
    if (limit < SHORTEST) {
      bare.push(name);
      return `- ${name}`;
    }
    shortened.push(name);
    return `- ${name}: ${shorten(text, limit)}`;
  });
  return { lines, shortened, bare };
}

/** The limit under which all lengths together fit: what short ones leave goes to the long ones. */
export function evenShare(lengths: readonly number[], room: number): number {
  let left = Math.max(0, room);
  let open = lengths.length;
  for (const length of [...lengths].sort((a, b) => a - b)) {
    const share = left / open;
    if (length > share) return Math.floor(share);
    left -= length;
    open--;
  }
  return Number.POSITIVE_INFINITY;
}

/** At most `length` characters: the first sentence and the one that says when to use it come before all others. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const [first = '', ...others] = text.split(/(?<=[.!?。！？;])\s+/);
  const when = others.find((sentence) =>
    /\b(use|apply|invoke|load|trigger)\w*\b.{0,40}\b(when|for|if|to|before|after|on)\b|\bwhen\b/i.test(sentence),
  );
  if (when === undefined || length < 3 * SHORTEST) return cut(text, length);
  const rest = others.filter((sentence) => sentence !== when).join(' ');
  const key = `${first} ${when}`;
  if (key.length < length) return cut(`${key} ${rest}`, length);
  const half = Math.max(Math.floor(length / 2), length - when.length - 1);
  const start = first.length < half ? first : cut(first, half);
  return `${start} ${cut(when, length - start.length - 1)}`;
}

/** With an ellipsis, between words where that costs little. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = head(text, length - 1);
  const space = start.lastIndexOf(' ');
  return `${(space > start.length - 20 ? start.slice(0, space) : start).trimEnd()}…`;
}
