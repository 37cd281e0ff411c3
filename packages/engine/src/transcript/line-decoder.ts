/** Lines to records. Nothing here throws: a line that can't be read is skipped and reported, an unknown one is kept as foreign. */
import type { Content, Id, Json } from '../content/content.js';
import { deepWellFormed, isObject, list, text } from './json.js';
import type {
  AssistantMessage,
  BoundaryRecord,
  Collected,
  Delivery,
  Effect,
  Layer,
  Mark,
  Moved,
  PrefixCause,
  Restriction,
  Section,
  StateRecord,
  ToolSpec,
  TranscriptRecord,
  Trust,
  Usage,
  UserRecord,
} from './records.js';

/** What one line holds: a record, one block of an answer, a foreign line, or nothing readable. */
export type Decoded =
  | { readonly type: 'record'; readonly record: TranscriptRecord }
  | {
      readonly type: 'part';
      readonly record: TranscriptRecord & { readonly type: 'assistant' };
      readonly part: number;
      readonly count: number;
    }
  | { readonly type: 'foreign' }
  | { readonly type: 'broken'; readonly why: string };

type Line = { readonly [key: string]: unknown };

/** Decodes one line of a thread's file. */
export function decodeLine(line: string, thread: Id): Decoded {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // The parser's own words quote the line, control characters included.
    return { type: 'broken', why: line.includes('\0') ? 'zero bytes' : 'no complete JSON' };
  }
  if (!isObject(value)) return { type: 'broken', why: 'not an object' };
  // Half a character can come from an older or a foreign writer; it must not reach a request.
  const clean = /\\u[dD][89a-fA-F]/.test(line) ? deepWellFormed(value) : value;
  return isObject(clean) ? decodeObject(clean, thread) : { type: 'foreign' };
}

function decodeObject(line: Line, thread: Id): Decoded {
  const own = isObject(line['sidenote']) ? line['sidenote'] : undefined;
  const batch = readBatch(own?.['batch'] ?? line['batch']);
  const at = text(line['timestamp']) ?? '';
  if (line['type'] === 'sidenote-request') return decodeRequest(line, { thread, at, batch });
  if (own === undefined || batch === undefined) return { type: 'foreign' };
  const id = text(line['uuid']) ?? text(own['id']);
  if (id === undefined) return { type: 'foreign' };
  const common = { id, at, thread, batch };
  const parent = text(line['parentUuid']) ?? null;
  switch (line['type']) {
    case 'user':
      return decodeUser(line, { ...common, parent });
    case 'assistant':
      return decodeAnswer(line, own, { ...common, parent });
    case 'attachment':
      return decodeAttachment(line, own, { ...common, parent });
    case 'system':
      return line['subtype'] === 'prefix'
        ? decodePrefix(own, { ...common, parent })
        : line['subtype'] === 'compact_boundary'
          ? decodeBoundary(line, own, common)
          : { type: 'foreign' };
    case 'queue-operation':
      return decodeQueue(line, own, common);
    case 'mode':
      return state(common, 'mode', line['mode']);
    case 'custom-title':
      return state(common, 'title', line['customTitle']);
    case 'sidenote-state':
      return state(common, line['key'], line['value']);
    default:
      return { type: 'foreign' };
  }
}

type Batch = TranscriptRecord['batch'];
type Common = { readonly id: Id; readonly at: string; readonly thread: Id; readonly batch: Batch };
type Linked = Common & { readonly parent: Id | null };

function readBatch(value: unknown): Batch | undefined {
  if (!isObject(value)) return undefined;
  const { id, index, count } = value;
  return typeof id === 'string' && typeof index === 'number' && typeof count === 'number' ? { id, index, count } : undefined;
}

const found = (record: TranscriptRecord): Decoded => ({ type: 'record', record });
// Shapes below were written by this codec; a line of the right type with another shape is foreign, never an exception.
const content = (value: unknown): readonly Content[] =>
  typeof value === 'string'
    ? [{ type: 'text', text: value }]
    : list(value).filter((block): block is Content => isObject(block) && typeof block['type'] === 'string');
const effects = (value: unknown): readonly Effect[] =>
  list(value).filter((effect): effect is Effect => isObject(effect) && typeof effect['type'] === 'string');

const ORIGIN: Readonly<Record<string, UserRecord['origin']>> = {
  human: 'human',
  peer: 'peer',
  hook: 'hook',
  'task-notification': 'task',
  summary: 'summary',
};

function decodeUser(line: Line, common: Linked): Decoded {
  const message = line['message'];
  if (!isObject(message)) return { type: 'foreign' };
  const result = list(message['content']).find((block) => isObject(block) && block['type'] === 'tool_result');
  if (isObject(result)) {
    const call = text(result['tool_use_id']);
    if (call === undefined) return { type: 'foreign' };
    const done = isObject(line['toolUseResult']) ? effects(line['toolUseResult']['effects']) : [];
    return found({
      ...common,
      type: 'tool_result',
      call,
      content: content(result['content']),
      isError: result['is_error'] === true,
      effects: done,
    });
  }
  const kind = isObject(line['origin']) ? text(line['origin']['kind']) : undefined;
  return found({ ...common, type: 'user', content: content(message['content']), origin: ORIGIN[kind ?? 'human'] ?? 'human' });
}

function isAnswer(value: unknown): value is AssistantMessage {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    typeof value['model'] === 'string' &&
    Array.isArray(value['content']) &&
    isObject(value['usage'])
  );
}

function decodeAnswer(line: Line, own: Line, common: Linked): Decoded {
  const message = line['message'];
  const [part, count] = list(own['part']);
  if (!isAnswer(message) || typeof part !== 'number' || typeof count !== 'number') return { type: 'foreign' };
  const { id, model, content: blocks, stop_reason, usage } = message;
  const record = {
    ...common,
    id: text(own['record']) ?? common.id,
    type: 'assistant' as const,
    message: {
      id,
      model,
      content: blocks,
      stop_reason,
      usage,
      ...(isObject(message['diagnostics']) ? { diagnostics: message['diagnostics'] } : {}),
    },
    asked: text(own['asked']) ?? model,
  };
  return { type: 'part', record, part, count };
}

function decodeAttachment(line: Line, own: Line, common: Linked): Decoded {
  const attachment = line['attachment'];
  const delivery = own['delivery'];
  const host = text(own['host']);
  if (!isObject(attachment) || typeof attachment['type'] !== 'string' || !isDelivery(delivery) || host === undefined)
    return { type: 'foreign' };
  const { type: kind, ...rest } = attachment;
  const rendered = list(line['rendered'])[0];
  return found({
    ...common,
    type: 'attachment',
    kind,
    version: typeof own['version'] === 'number' ? own['version'] : 0,
    data: '$data' in rest ? (rest['$data'] ?? null) : rest,
    content: isObject(rendered) ? content(rendered['content']) : [],
    host,
    delivery,
    trust: isTrust(own['trust']) ? own['trust'] : 'third-party',
    wrap: text(own['wrap']) ?? null,
    title: text(own['title']) ?? kind,
    reason: text(own['reason']) ?? '',
    effects: effects(own['effects']),
  });
}

const isTrust = (value: unknown): value is Trust => value === 'client' || value === 'user' || value === 'third-party';
const isDelivery = (value: unknown): value is Delivery =>
  isObject(value) &&
  (['before-prompt', 'after-results', 'system-message'].includes(String(value['type'])) ||
    (value['type'] === 'inside-result' && typeof value['call'] === 'string'));

function decodeBoundary(line: Line, own: Line, common: Common): Decoded {
  const before = text(line['logicalParentUuid']);
  if (before === undefined) return { type: 'foreign' };
  const metadata = isObject(line['compactMetadata']) ? line['compactMetadata'] : {};
  const kept = isObject(metadata['preservedSegment']) ? text(metadata['preservedSegment']['headUuid']) : undefined;
  const preTokens = typeof metadata['preTokens'] === 'number' ? metadata['preTokens'] : 0;
  return found({
    ...common,
    parent: null,
    type: 'compact_boundary',
    before,
    keepFrom: kept ?? null,
    trigger: trigger(own['trigger']),
    preTokens,
    ...writtenBy(own['summary']),
  });
}

function writtenBy(value: unknown): Pick<BoundaryRecord, 'summary'> {
  if (!isObject(value)) return {};
  const { model, usage } = value;
  return typeof model === 'string' && isUsage(usage) ? { summary: { model, usage } } : {};
}

const isUsage = (value: unknown): value is Usage =>
  isObject(value) && typeof value['input_tokens'] === 'number' && typeof value['output_tokens'] === 'number';

const trigger = (value: unknown): BoundaryRecord['trigger'] => (value === 'manual' || value === 'overflow' ? value : 'auto');

const CAUSES: readonly PrefixCause[] = ['start', 'model', 'effort', 'fallback', 'provider-refused', 'debug'];

function decodePrefix(own: Line, common: Linked): Decoded {
  const model = text(own['model']);
  if (model === undefined || !Array.isArray(own['system']) || !Array.isArray(own['tools'])) return { type: 'foreign' };
  return found({
    ...common,
    type: 'prefix',
    cause: CAUSES.find((cause) => cause === own['cause']) ?? 'start',
    system: own['system'].filter((section): section is Section => isObject(section) && typeof section['text'] === 'string'),
    tools: own['tools'].filter(
      (tool): tool is ToolSpec => isObject(tool) && typeof tool['name'] === 'string' && isObject(tool['input_schema']),
    ),
    model,
    params: own['params'] === undefined ? {} : (json(own['params']) ?? null),
    client: text(own['client']) ?? '',
    ...(isLayer(own['layer']) ? { layer: own['layer'] } : {}),
    ...(own['absent'] === undefined ? {} : { absent: list(own['absent']).filter(isCollected) }),
    ...(own['without'] === undefined ? {} : { without: list(own['without']).filter(isRestriction) }),
  });
}

const isLayer = (value: unknown): value is Layer =>
  isObject(value) && typeof value['won'] === 'string' && Array.isArray(value['lost']) && typeof value['proactive'] === 'boolean';
const isCollected = (value: unknown): value is Collected => isObject(value) && typeof value['kind'] === 'string';
const isRestriction = (value: unknown): value is Restriction => value === 'thinking' || value === 'system-message';

function decodeRequest(line: Line, common: { thread: Id; at: string; batch: Batch | undefined }): Decoded {
  const { id, head, prefix, digest, sealed, ancestor } = line;
  if (
    typeof id !== 'string' ||
    typeof head !== 'string' ||
    typeof prefix !== 'string' ||
    typeof digest !== 'string' ||
    typeof sealed !== 'number' ||
    common.batch === undefined
  )
    return { type: 'foreign' };
  const purpose = line['purpose'] === 'summary' || line['purpose'] === 'side' ? line['purpose'] : 'turn';
  const marks = list(line['marks']).filter((mark): mark is Mark => isObject(mark) && isObject(mark['at']));
  const collected = list(line['collected']).filter(isCollected);
  return found({
    id,
    at: common.at,
    thread: common.thread,
    batch: common.batch,
    type: 'request',
    purpose,
    head,
    prefix,
    digest,
    ...(typeof line['base'] === 'string' ? { base: line['base'] } : {}),
    added: list(line['added']).filter((start) => typeof start === 'string'),
    sealed,
    marks,
    ...(typeof ancestor === 'string' || ancestor === null ? { ancestor } : {}),
    ...(isMoved(line['moved']) ? { moved: line['moved'] } : {}),
    collected,
  });
}

const isMoved = (value: unknown): value is Moved =>
  isObject(value) && isObject(value['at']) && typeof value['owner'] === 'string' && typeof value['tokens'] === 'number';

function decodeQueue(line: Line, own: Line, common: Common): Decoded {
  const item = text(own['item']);
  const operation = line['operation'];
  if (item === undefined || (operation !== 'enqueue' && operation !== 'remove')) return { type: 'foreign' };
  const value = json(own['value']);
  return found({ ...common, type: 'queue', operation, item, ...(value === undefined ? {} : { value }) });
}

const KEYS: readonly StateRecord['key'][] = ['model', 'mode', 'effort', 'title', 'head', 'injection', 'agent', 'style', 'kinds', 'usage'];
function state(common: Common, key: unknown, value: unknown): Decoded {
  const known = KEYS.find((name) => name === key);
  return known === undefined ? { type: 'foreign' } : found({ ...common, type: 'state', key: known, value: json(value) ?? null });
}

/** A value that came out of `JSON.parse` is JSON. */
const json = (value: unknown): Json | undefined => value as Json | undefined;
