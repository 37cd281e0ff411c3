/** Records to messages: a pure function of the records and the current profile. Nothing else builds message content. */
import type { Id } from '../content/content.js';
import type { AssistantRecord, AttachmentRecord, ChainRecord, ToolResultRecord, UserRecord } from '../transcript/records.js';
import { placeAnswer, type OpenCall } from './answer.js';
import type { ModelProfile } from './model.js';
import { isOneOwner, whole, type BlockOwners, type Segment } from './owners.js';
import type { PlaceContext } from './place-context.js';
import type { Placed } from './placed.js';
import type { Owner } from './plan.js';
import { contentPieces, reminderPieces, textPiece, type Leaf, type Piece } from './reminders.js';
import type { WireBlock, WireMessage } from './wire.js';

type UserGroup = {
  readonly type: 'user';
  readonly words: UserRecord[];
  readonly results: ToolResultRecord[];
  readonly attachments: AttachmentRecord[];
};
type AnswerGroup = { readonly type: 'assistant'; readonly record: AssistantRecord };
type Group = UserGroup | AnswerGroup;

/**
 * Places records in their order. Someone's words always begin a message, so a message that went out is never extended.
 * A call whose result is missing in the middle of a damaged history gets an error result.
 */
export function place(records: readonly ChainRecord[], context: PlaceContext): readonly Placed[] {
  const placed: Placed[] = [];
  let calls: readonly OpenCall[] = [];
  const groups = groupRecords(records);
  if (context.last === null && groups[0]?.type === 'assistant') placed.push(MISSING_START);
  for (const group of groups) {
    if (group.type === 'user') {
      if (asksForAnswer(placed.at(-1)?.message.role ?? context.last)) placed.push(MISSING_ANSWER);
      placed.push(...placeUser(group, calls, context));
    } else if (calls.length > 0) placed.push(...placeUser(emptyGroup(), calls, context));
    calls = [];
    if (group.type === 'assistant') {
      const answer = placeAnswer(group.record, context);
      calls = answer.calls;
      const owner: Owner = { type: 'answer', name: group.record.message.model, record: group.record.id };
      placed.push({
        message: { role: 'assistant', content: answer.content },
        owners: answer.content.map(() => owner),
      });
    }
  }
  return placed;
}

/** A conversation begins with the user. Where its beginning is lost or was not copied, that is said. */
const MISSING_START: Placed = {
  message: { role: 'user', content: [{ type: 'text', text: '(What came before is not available.)' }] },
  owners: [{ type: 'prompt', name: 'missing', record: null }],
};

/** Only an answer may follow a system message. Where none came, words need one before them. */
export const asksForAnswer = (last: WireMessage['role'] | null): boolean => last === 'system';

export const MISSING_ANSWER: Placed = {
  message: { role: 'assistant', content: [{ type: 'text', text: '(no answer)' }] },
  owners: [{ type: 'answer', name: 'missing', record: null }],
};

const emptyGroup = (): UserGroup => ({ type: 'user', words: [], results: [], attachments: [] });

function groupRecords(records: readonly ChainRecord[]): readonly Group[] {
  const groups: Group[] = [];
  const byHost = new Map<Id, UserGroup>();
  const open = (): UserGroup => {
    const last = groups.at(-1);
    if (last?.type === 'user') return last;
    const group = emptyGroup();
    groups.push(group);
    return group;
  };
  for (const record of records) {
    if (record.type === 'assistant') groups.push({ type: 'assistant', record });
    else if (record.type === 'user') {
      const group = emptyGroup();
      group.words.push(record);
      groups.push(group);
      byHost.set(record.id, group);
    } else if (record.type === 'tool_result') {
      const group = open();
      group.results.push(record);
      byHost.set(record.id, group);
    } else if (record.type === 'attachment') {
      if (record.content.length > 0) (byHost.get(record.host) ?? open()).attachments.push(record);
    }
  }
  return groups;
}

function placeUser(group: UserGroup, calls: readonly OpenCall[], context: PlaceContext): readonly Placed[] {
  const lastCall = calls.at(-1)?.id;
  const delivered = group.attachments.map((record) => ({ record, to: deliver(record, { calls, lastCall, profile: context.profile }) }));
  const at = (type: string) => delivered.filter(({ to }) => to.type === type).map(({ record }) => record);
  const pieces: { block: WireBlock; owners: BlockOwners }[] = calls.map((call) => {
    const inside = delivered.filter(({ to }) => to.type === 'inside-result' && to.call === call.id).map(({ record }) => record);
    return resultBlock(
      call,
      group.results.find((result) => result.call === call.id),
      inside,
      context,
    );
  });
  pieces.push(...reminderPieces(at('before-prompt'), context));
  for (const words of group.words) {
    const owner: Owner =
      words.origin === 'summary'
        ? { type: 'summary', name: 'summary', record: words.id }
        : { type: 'prompt', name: words.origin, record: words.id };
    const own = contentPieces(words.content, owner, context);
    pieces.push(...(own.length > 0 ? own : [textPiece('(empty)', owner)]));
  }
  pieces.push(...reminderPieces(at('after-results'), context));
  const placed: Placed[] =
    pieces.length === 0
      ? []
      : [{ message: { role: 'user', content: pieces.map(({ block }) => block) }, owners: pieces.map(({ owners }) => owners) }];
  const system = reminderPieces(at('system-message'), context).filter(
    (piece): piece is Piece & { block: { type: 'text'; text: string } } => piece.block.type === 'text',
  );
  if (system.length > 0)
    placed.push({
      message: { role: 'system', content: system.map(({ block }) => block) },
      owners: system.map(({ owners }) => owners),
    });
  return placed;
}

type Situation = { readonly calls: readonly OpenCall[]; readonly lastCall: Id | undefined; readonly profile: ModelProfile };

/** The delivery that was stored, or the nearest one that this model and this message allow. */
function deliver({ delivery, trust }: AttachmentRecord, { calls, lastCall, profile }: Situation): AttachmentRecord['delivery'] {
  const inside = lastCall === undefined ? undefined : { type: 'inside-result' as const, call: lastCall };
  switch (delivery.type) {
    case 'inside-result':
      return calls.some((call) => call.id === delivery.call) ? delivery : (inside ?? { type: 'before-prompt' });
    case 'after-results':
      return profile.thinking === 'last-turn' ? (inside ?? delivery) : delivery;
    case 'system-message':
      return trust === 'client' && profile.deliveries.includes('system-message') ? delivery : (inside ?? { type: 'before-prompt' });
    case 'before-prompt':
      return delivery;
  }
}

function resultBlock(
  call: OpenCall,
  result: ToolResultRecord | undefined,
  inside: readonly AttachmentRecord[],
  context: PlaceContext,
): { block: WireBlock; owners: BlockOwners } {
  const owner: Owner = { type: 'result', name: call.name, record: result?.id ?? null };
  const own =
    result === undefined
      ? [textPiece('The result of this call was lost; it may have run.', owner)]
      : contentPieces(result.content, owner, context);
  const pieces = [...(own.length > 0 ? own : [textPiece('(no output)', owner)]), ...reminderPieces(inside, context)];
  const isError = result === undefined || result.isError;
  const content: Leaf[] = pieces.map(({ block }) => block);
  return {
    block: { type: 'tool_result', tool_use_id: call.wireId, content, ...(isError ? { is_error: true } : {}) },
    owners: pieces.flatMap(leafOwners),
  };
}

function leafOwners({ block, owners }: Piece): readonly (readonly Segment[])[] {
  if (!isOneOwner(owners)) return owners;
  return [block.type === 'text' ? whole(block.text, owners) : whole('source' in block ? block.source.data : '', owners)];
}
