/** The simple mechanism for people without a session: pure, and made of the same parts that a session uses. */
import { neutralise, reminder } from '../content/tags.js';
import { isBlank } from '../content/text.js';
import { effectivePrompt, type EffectivePrompt } from '../prompt/layers.js';
import type { Section } from '../transcript/records.js';
import { headOf } from './head.js';
import { planMarks, withMarks } from './marks.js';
import type { MessagesBody, WireMessage } from './wire.js';

/** Named pieces of context: `{ git: 'branch main …' }`. Blank ones count as absent. */
export type ContextEntries = Readonly<Record<string, string>>;

/** The sections with the system context behind them; the boundary between static and dynamic ones stays where it is. */
export function appendSystemContext(sections: readonly Section[], context: ContextEntries): readonly Section[] {
  return [...sections, ...entriesOf(context).map(([name, text]) => ({ name, text: neutralise(text), static: false }))];
}

/** The messages with the user context before them, in one reminder that their text can't close; the same when there is none. */
export function prependUserContext<Message>(messages: readonly Message[], context: ContextEntries): (Message | WireMessage)[] {
  const entries = entriesOf(context);
  if (entries.length === 0) return [...messages];
  const text = reminder(neutralise(entries.map(([name, entry]) => `# ${name}\n${entry}`).join('\n\n')));
  return [{ role: 'user', content: [{ type: 'text', text }] }, ...messages];
}

export type PromptTexts = {
  readonly override?: string;
  readonly coordinator?: string;
  readonly agent?: string;
  /** An empty one means no base prompt. */
  readonly custom?: string;
  readonly base: readonly Section[];
  readonly append?: string;
  readonly proactive?: boolean;
};

/** `effectivePrompt` for layers that are texts. */
export function buildEffectiveSystemPrompt({ base, proactive = false, ...texts }: PromptTexts): EffectivePrompt {
  const layers = Object.entries(texts).flatMap(([name, text]): [string, readonly Section[]][] =>
    text === undefined ? [] : [[name, name === 'custom' && isBlank(text) ? [] : [{ name, text, static: false }]]],
  );
  return effectivePrompt({ ...Object.fromEntries(layers), base, proactive });
}

/** System blocks for a Messages request: static sections, then dynamic ones, each with a cache mark at its end. */
export function splitSystemPromptPrefix(
  sections: readonly Section[],
  { ttl = '5m' }: { readonly ttl?: '5m' | '1h' } = {},
): MessagesBody['system'] {
  const head = headOf({ id: '', model: '', params: {}, tools: [], system: sections });
  const marks = planMarks({ head, messages: [], lastWritten: null, ttl });
  return withMarks({ model: '', system: head.system, tools: [], messages: [] }, marks).system;
}

const entriesOf = (context: ContextEntries) => Object.entries(context).filter(([, text]) => !isBlank(text));
