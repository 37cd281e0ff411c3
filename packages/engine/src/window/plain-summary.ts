/** A summary without a model: the person's words, the files, and the newest answers, inside a budget. */
import { effectsIn } from '../attachments/parts/views.js';
import type { Content, Returned } from '../content/content.js';
import { head, isBlank } from '../content/text.js';
import type { ChainRecord } from '../transcript/records.js';

/** Characters in all, and of one text. */
const MOST = 24_000;
const WORDS = 4_000;
const ANSWER = 1_500;
const ANSWERS = 4;
const FILES = 60;

/** The same records give the same text. `characters`: what it may take; the person's words come first. */
export function plainSummary(window: readonly ChainRecord[], characters = MOST): string {
  const parts = [
    section('Earlier summary', textsOf(window, 'summary').slice(-1), characters / 3),
    section("The person's words, oldest first", textsOf(window, 'human'), characters / 2),
    section('Files that were changed', filesIn(window, 'wrote'), characters / 8),
    section('Files that were read', filesIn(window, 'viewed'), characters / 8),
    section('The newest answers', answersIn(window), characters / 4),
  ].filter((part) => part !== '');
  return [
    'This summary was put together without a model, from the record of the conversation; anything else of it is not here.',
    ...parts,
  ].join('\n\n');
}

/** The newest items that fit, in their order, with a note of what is missing. */
function section(title: string, items: readonly string[], characters: number): string {
  const kept: string[] = [];
  let left = Math.floor(characters);
  for (const item of items.toReversed()) {
    if (item.length > left && kept.length > 0) break;
    const text = item.length > left ? short(item, left) : item;
    kept.unshift(text);
    left -= text.length;
  }
  if (kept.length === 0) return '';
  const missing = items.length - kept.length;
  return [`## ${title}`, ...(missing > 0 ? [`(${missing} older left out)`] : []), ...kept].join('\n');
}

function textsOf(window: readonly ChainRecord[], origin: 'human' | 'summary'): readonly string[] {
  const own = window.flatMap((record) => {
    if (record.type === 'user' && record.origin === origin) return [record.content];
    return origin === 'human' && record.type === 'attachment' && record.kind === 'queued_commands' ? [record.content] : [];
  });
  return own
    .map(wordsOf)
    .filter((text) => !isBlank(text))
    .map((text) => `- ${short(text, origin === 'human' ? WORDS : MOST)}`);
}

function filesIn(window: readonly ChainRecord[], type: 'wrote' | 'viewed'): readonly string[] {
  const paths = window
    .flatMap(effectsIn)
    .flatMap((effect) => (effect.type === type && effect.view.digest !== '' && effect.view.form === 'raw' ? [effect.view.path] : []));
  // The newest mention of each counts.
  const unique = [...new Set(paths.toReversed())].reverse();
  return unique.slice(-FILES).map((path) => `- ${path}`);
}

function answersIn(window: readonly ChainRecord[]): readonly string[] {
  const texts = window.flatMap((record) => (record.type === 'assistant' ? [answerOf(record.message.content)] : []));
  return texts
    .filter((text) => !isBlank(text))
    .slice(-ANSWERS)
    .map((text) => `- ${short(text, ANSWER)}`);
}

const wordsOf = (content: readonly Content[]): string =>
  content
    .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join('\n')
    .trim();

const answerOf = (content: readonly Returned[]): string =>
  content
    .flatMap((block) => (block.type === 'text' && 'text' in block && typeof block.text === 'string' ? [block.text] : []))
    .join('\n')
    .trim();

function short(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = head(text, Math.max(0, length));
  return `${start} … [${text.length - start.length} more characters]`;
}
