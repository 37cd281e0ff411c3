/** Scripts for a model that is not there: what it says, step by step, as JSON that a person can write. */
import { messageOf } from '@sidenote/engine';
import { countOf, fieldsOf, isFields, numberOf, textOf } from './fields.js';
import type { Fields } from './fields.js';

export type ScriptBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature?: string }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: Readonly<Record<string, unknown>>; readonly id?: string };

export type ScriptStep = {
  readonly content: readonly ScriptBlock[];
  /** Default: `tool_use` when there is a call, else `end_turn`. */
  readonly stop_reason?: string;
  /** Takes the place of the estimated counts. */
  readonly usage?: Readonly<
    Partial<Record<'input_tokens' | 'output_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens', number>>
  >;
  /** Milliseconds before the answer. */
  readonly delay_ms?: number;
  /** Instead of an answer. */
  readonly error?: { readonly status: number; readonly type: string; readonly message: string; readonly retry_after_ms?: number };
  /** The connection breaks: inside the last block, or after it. */
  readonly cut?: 'input' | 'end';
  /** Run by `/bin/sh` before the answer: edits "from outside", for one. */
  readonly shell?: string;
  /** Where `shell` runs. */
  readonly cwd?: string;
};

/** `agents`: a request whose opening messages hold `match` takes its steps from there. */
export type Script = {
  readonly steps: readonly ScriptStep[];
  readonly agents?: readonly { readonly match: string; readonly steps: readonly ScriptStep[] }[];
};
export type ReadScript = { readonly type: 'script'; readonly script: Script } | { readonly type: 'unusable'; readonly message: string };

/** Identity: the first thing found wrong, with its place. */
class ScriptError extends Error {
  override readonly name = 'ScriptError';
}

const usageKeys = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;
const stepKeys = new Set(['content', 'stop_reason', 'usage', 'delay_ms', 'error', 'cut', 'shell', 'cwd']);

function wrong(where: string, what: string): never {
  throw new ScriptError(`${where}: ${what}`);
}

function optionalText(fields: Fields, key: string, where: string): string | undefined {
  const value = fields[key];
  return value === undefined ? undefined : (textOf(value) ?? wrong(`${where}.${key}`, 'a text is expected'));
}

function readBlock(value: unknown, where: string): ScriptBlock {
  if (!isFields(value)) return wrong(where, 'a block is expected, such as {"type": "text", "text": "…"}');
  const text = (key: string) => textOf(value[key]) ?? wrong(`${where}.${key}`, 'a text is expected');
  switch (value['type']) {
    case 'text':
      return { type: 'text', text: text('text') };
    case 'thinking': {
      const signature = optionalText(value, 'signature', where);
      return { type: 'thinking', thinking: text('thinking'), ...(signature === undefined ? {} : { signature }) };
    }
    case 'tool_use': {
      const id = optionalText(value, 'id', where);
      const input = isFields(value['input']) ? value['input'] : wrong(`${where}.input`, 'an object is expected');
      return { type: 'tool_use', name: text('name'), input, ...(id === undefined ? {} : { id }) };
    }
    default:
      return wrong(`${where}.type`, 'text, thinking or tool_use is expected');
  }
}

function readStep(value: unknown, where: string): ScriptStep {
  if (Array.isArray(value)) return { content: value.map((block, index) => readBlock(block, `${where}[${index}]`)) };
  if (!isFields(value)) return wrong(where, 'a step is expected: an array of blocks, one block, or {"content": […]}');
  if ('type' in value) return { content: [readBlock(value, where)] };
  const unknown = Object.keys(value).find((key) => !stepKeys.has(key));
  if (unknown !== undefined) wrong(`${where}.${unknown}`, `not known; a step has ${[...stepKeys].join(', ')}`);
  const content = value['content'] ?? [];
  if (!Array.isArray(content)) return wrong(`${where}.content`, 'an array of blocks is expected');
  const error = value['error'] === undefined ? undefined : fieldsOf(value['error']);
  const delay =
    value['delay_ms'] === undefined ? undefined : (numberOf(value['delay_ms']) ?? wrong(`${where}.delay_ms`, 'a number is expected'));
  const cut = value['cut'] === true ? 'end' : value['cut'];
  if (cut !== undefined && cut !== 'input' && cut !== 'end') return wrong(`${where}.cut`, '"input" or "end" is expected');
  const counted = usageKeys.flatMap((key) => {
    const count = countOf(fieldsOf(value['usage'])[key]);
    return count === null ? [] : [[key, count] as const];
  });
  const texts = (['stop_reason', 'shell', 'cwd'] as const).flatMap((key) => {
    const text = optionalText(value, key, where);
    return text === undefined ? [] : [[key, text] as const];
  });
  const wait = error === undefined ? null : numberOf(error['retry_after_ms']);
  return {
    content: content.map((block, index) => readBlock(block, `${where}.content[${index}]`)),
    ...Object.fromEntries(texts),
    ...(value['usage'] === undefined ? {} : { usage: Object.fromEntries(counted) }),
    ...(delay === undefined ? {} : { delay_ms: delay }),
    ...(cut === undefined ? {} : { cut }),
    ...(error === undefined
      ? {}
      : {
          error: {
            status: numberOf(error['status']) ?? wrong(`${where}.error.status`, 'a number is expected, such as 529'),
            type: textOf(error['type']) ?? 'api_error',
            message: textOf(error['message']) ?? 'A scripted error.',
            ...(wait === null ? {} : { retry_after_ms: wait }),
          },
        }),
  };
}

function readSteps(value: unknown, where: string): readonly ScriptStep[] {
  if (!Array.isArray(value)) return wrong(where, 'an array of steps is expected');
  return value.map((step, index) => readStep(step, `${where}[${index}]`));
}

/** Reads a script: an array of steps, or `{"steps": […], "agents": [{"match", "steps"}]}`. `name` stands in messages. */
export function readScript(text: string, name: string): ReadScript {
  try {
    const value: unknown = JSON.parse(text);
    const fields = Array.isArray(value) ? { steps: value } : fieldsOf(value);
    const steps = readSteps(fields['steps'], 'steps');
    const agents = fields['agents'];
    if (agents === undefined) return { type: 'script', script: { steps } };
    if (!Array.isArray(agents)) return wrong('agents', 'an array is expected');
    return {
      type: 'script',
      script: {
        steps,
        agents: agents.map((agent, index) => ({
          match: textOf(fieldsOf(agent)['match']) ?? wrong(`agents[${index}].match`, 'a text is expected'),
          steps: readSteps(fieldsOf(agent)['steps'], `agents[${index}].steps`),
        })),
      },
    };
  } catch (error) {
    return { type: 'unusable', message: `The script ${name} can't be used. ${messageOf(error)}` };
  }
}
