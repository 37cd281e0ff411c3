/**
 * Records to lines and back. Pure. The types and field names are those that public transcript readers know
 * (docs/session-files.md); what only Sidenote knows stands under `sidenote`.
 */
import type { Id, Json, Returned } from '../content/content.js';
import { isObject, type JsonObject } from './json.js';
import type {
  AssistantRecord,
  AttachmentRecord,
  BoundaryRecord,
  PrefixRecord,
  QueueRecord,
  RequestRecord,
  StateRecord,
  ToolResultRecord,
  TranscriptRecord,
  UserRecord,
} from './records.js';

/** Fields that every line of a session carries for other readers: `sessionId`, `version`, `cwd`, `gitBranch` … */
export type LineContext = {
  readonly fields: Readonly<Record<string, Json>>;
  /** The line that holds a call, for `sourceToolAssistantUUID`. */
  readonly lineOfCall: (call: Id) => Id | undefined;
};

const ORIGINS = { human: 'human', peer: 'peer', task: 'task-notification', hook: 'hook', summary: 'summary' } as const;

/** One batch as lines: one line a record, and one a block for an assistant's answer. */
export function encodeBatch(batch: readonly TranscriptRecord[], context: LineContext): readonly string[] {
  return batch.flatMap((record) => encode(record, context)).map((line) => JSON.stringify(line));
}

function encode(record: TranscriptRecord, context: LineContext): readonly JsonObject[] {
  switch (record.type) {
    case 'user':
      return [encodeUser(record, context)];
    case 'assistant':
      return encodeAssistant(record, context);
    case 'tool_result':
      return [encodeResult(record, context)];
    case 'attachment':
      return [encodeAttachment(record, context)];
    case 'compact_boundary':
      return [encodeBoundary(record, context)];
    case 'prefix':
      return [encodePrefix(record, context)];
    case 'request':
      return [encodeRequest(record)];
    case 'queue':
      return [encodeQueue(record)];
    case 'state':
      return [encodeState(record)];
    case 'foreign':
      return [];
  }
}

type Chained = { readonly id: Id; readonly at: string; readonly parent: Id | null; readonly batch: TranscriptRecord['batch'] };
const head = (record: Chained, context: LineContext) => ({
  uuid: record.id,
  parentUuid: record.parent,
  timestamp: record.at,
  ...context.fields,
});
const own = (record: Chained, more: JsonObject = {}): JsonObject => ({ ...more, batch: record.batch });

function encodeUser(record: UserRecord, context: LineContext): JsonObject {
  return {
    type: 'user',
    ...head(record, context),
    ...(record.origin === 'human' ? {} : { isMeta: true }),
    ...(record.origin === 'summary' ? { isCompactSummary: true, isVisibleInTranscriptOnly: true } : {}),
    origin: { kind: ORIGINS[record.origin] },
    message: { role: 'user', content: record.content },
    sidenote: own(record),
  };
}

/** Uuid of the line that holds block `index` of an answer: the record's own for the last one, derived ones before it. */
export function blockLineId(record: Id, index: number, count: number): Id {
  if (index >= count - 1) return record;
  const start = Number.parseInt(record.slice(0, 8), 16);
  if (!/^[0-9a-f]{8}-/.test(record) || Number.isNaN(start)) return `${record}.${index}`;
  return ((start ^ (index + 1)) >>> 0).toString(16).padStart(8, '0') + record.slice(8);
}

function encodeAssistant(record: AssistantRecord, context: LineContext): readonly JsonObject[] {
  const { content, ...message } = record.message;
  const blocks: readonly (Returned | null)[] = content.length > 0 ? content : [null];
  return blocks.map((block, index) => ({
    type: 'assistant',
    ...head(record, context),
    uuid: blockLineId(record.id, index, blocks.length),
    parentUuid: index === 0 ? record.parent : blockLineId(record.id, index - 1, blocks.length),
    message: {
      id: message.id,
      type: 'message',
      role: 'assistant',
      model: message.model,
      content: block === null ? [] : [block],
      stop_reason: message.stop_reason,
      usage: message.usage,
      ...(message.diagnostics === undefined ? {} : { diagnostics: message.diagnostics }),
    },
    sidenote: own(record, { record: record.id, asked: record.asked, part: [index, blocks.length] }),
  }));
}

function encodeResult(record: ToolResultRecord, context: LineContext): JsonObject {
  const source = context.lineOfCall(record.call);
  return {
    type: 'user',
    ...head(record, context),
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: record.call, content: record.content, ...(record.isError ? { is_error: true } : {}) }],
    },
    ...(source === undefined ? {} : { sourceToolAssistantUUID: source }),
    toolUseResult: { effects: record.effects },
    sidenote: own(record),
  };
}

function encodeAttachment(record: AttachmentRecord, context: LineContext): JsonObject {
  const { version, host, delivery, trust, wrap, title, reason, effects } = record;
  return {
    type: 'attachment',
    ...head(record, context),
    attachment: { type: record.kind, ...spreadData(record.data) },
    rendered: [{ content: record.content }],
    sidenote: own(record, { version, host, delivery, trust, wrap, title, reason, effects }),
  };
}

/** Plain objects are spread beside `type`, as public readers expect; anything else stands under `$data`. */
function spreadData(data: Json): JsonObject {
  return isObject(data) && !('type' in data) && !('$data' in data) ? data : { $data: data };
}

function encodeBoundary(record: BoundaryRecord, context: LineContext): JsonObject {
  return {
    type: 'system',
    subtype: 'compact_boundary',
    ...head(record, context),
    parentUuid: null,
    logicalParentUuid: record.before,
    content: 'Conversation compacted',
    compactMetadata: {
      trigger: record.trigger === 'manual' ? 'manual' : 'auto',
      preTokens: record.preTokens,
      ...(record.keepFrom === null
        ? {}
        : { preservedSegment: { headUuid: record.keepFrom, anchorUuid: record.id, tailUuid: record.before } }),
    },
    sidenote: own(record, { trigger: record.trigger, ...(record.summary === undefined ? {} : { summary: record.summary }) }),
  };
}

function encodePrefix(record: PrefixRecord, context: LineContext): JsonObject {
  const { cause, system, tools, model, params, client, layer, absent, without } = record;
  return {
    type: 'system',
    subtype: 'prefix',
    ...head(record, context),
    sidenote: own(record, {
      ...{ cause, system, tools, model, params, client },
      ...(layer === undefined ? {} : { layer }),
      ...(absent === undefined ? {} : { absent }),
      ...(without === undefined ? {} : { without }),
    }),
  };
}

function encodeRequest(record: RequestRecord): JsonObject {
  const { at, thread: _, type: __, ...rest } = record;
  return { type: 'sidenote-request', timestamp: at, ...rest };
}

function encodeQueue(record: QueueRecord): JsonObject {
  const { operation, item, value } = record;
  return {
    type: 'queue-operation',
    operation,
    timestamp: record.at,
    sidenote: { id: record.id, item, batch: record.batch, ...(value === undefined ? {} : { value }) },
  };
}

function encodeState(record: StateRecord): JsonObject {
  const { key, value } = record;
  const known =
    key === 'mode'
      ? { type: 'mode', mode: value }
      : key === 'title'
        ? { type: 'custom-title', customTitle: value }
        : { type: 'sidenote-state', key, value };
  return { ...known, timestamp: record.at, sidenote: { id: record.id, batch: record.batch } };
}
