/**
 * Gives the attachments of one message their room. When they want more than their share together, a documented order says whose is
 * cut: kinds that yield first, then the others from the end of the catalogue, then what someone's words named, the opening last.
 */
import type { Content, Json } from '../content/content.js';
import { messageOf } from '../content/message-of.js';
import { isBlank } from '../content/text.js';
import type { Collected, Effect } from '../transcript/records.js';
import type { Found } from './collector.js';
import { effectsOf } from './collector.js';
import type { AnyAttachmentKind, Room } from './contract.js';
import type { Ports } from './ports.js';

/** Share of the window that the attachments of one message may take; never less than `LEAST` tokens. */
const SHARE = 0.1;
const LEAST = 20_000;
/** Tokens that a kind keeps while others still have more. */
const FLOOR = 500;
/** Characters of JSON that a record may keep of a kind's data. */
const KEPT = 4096;

export type Rendered = {
  readonly kind: AnyAttachmentKind;
  readonly data: Json;
  readonly content: readonly Content[];
  readonly effects: readonly Effect[];
  readonly call: string | undefined;
  readonly title: string;
  readonly reason: string;
};

export type ArbiterOptions = {
  /** Tokens. */
  readonly window: number;
  readonly tokens: Ports['tokens'];
  /** 0 to 1. Default 0.1. */
  readonly share?: number | undefined;
};

/** One attachment while rooms are given; `failure` instead of content when its kind threw. */
type Claim = {
  readonly found: Found;
  room: Room;
  content: readonly Content[];
  cut: string | undefined;
  size: number;
  failure?: string;
};

/** Renders what was found. A kind that fails here is reported and left out; nothing of it reaches the model. */
export function renderAll(
  found: readonly Found[],
  { window, tokens, share = SHARE }: ArbiterOptions,
): { readonly rendered: readonly Rendered[]; readonly report: readonly Collected[] } {
  const room = Math.max(LEAST, Math.floor(window * share));
  const claims = found.map((one) => claimOf(one, { tokens: room }, tokens));
  fit(claims, room, tokens);
  const rendered: Rendered[] = [];
  const report: Collected[] = [];
  for (const claim of claims) {
    const { kind } = claim.found.kind;
    const one = claim.failure === undefined ? finished(claim) : claim.failure;
    if (typeof one === 'string') report.push({ kind, outcome: 'failed', ms: 0, why: one });
    else {
      rendered.push(one);
      if (claim.cut !== undefined) report.push({ kind, outcome: 'cut', ms: 0, why: claim.cut });
    }
  }
  return { rendered, report };
}

/** Takes room away in the order of cutting: down to the floor from each first, then all of it. */
function fit(claims: readonly Claim[], room: number, tokens: Ports['tokens']): void {
  const over = (): number => claims.reduce((sum, { size }) => sum + size, 0) - room;
  for (const floor of [FLOOR, 0]) {
    for (const claim of cuttingOrder(claims)) {
      const excess = over();
      if (excess <= 0) return;
      if (claim.size <= floor) continue;
      Object.assign(claim, claimOf(claim.found, { tokens: Math.max(floor, claim.size - excess) }, tokens));
    }
  }
}

/** First those that are cut first. */
function cuttingOrder(claims: readonly Claim[]): readonly Claim[] {
  const rank = ({ found: { kind } }: Claim): number => {
    if (kind.shortened === 'first') return 0;
    return kind.position === 'opening' ? 3 : kind.group === 'input' ? 2 : 1;
  };
  return claims.toReversed().toSorted((a, b) => rank(a) - rank(b));
}

function claimOf(found: Found, room: Room, tokens: Ports['tokens']): Claim {
  try {
    const { content, cut } = found.kind.render(found.data, room);
    const shown = content.filter((block: Content) => block.type !== 'text' || !isBlank(block.text));
    return { found, room, content: shown, cut, size: tokens(shown) };
  } catch (error) {
    return { found, room, content: [], cut: undefined, size: 0, failure: messageOf(error) };
  }
}

/** The failure, when the kind throws here. */
function finished({ found: { kind, data, call }, room, content }: Claim): Rendered | string {
  try {
    return {
      kind,
      data: keep(kind, data),
      content,
      effects: effectsOf(kind, data, room),
      call: call ?? kind.call?.(data),
      title: kind.title(data),
      reason: kind.reason(data),
    };
  } catch (error) {
    return messageOf(error);
  }
}

function keep(kind: AnyAttachmentKind, data: unknown): Json {
  const kept: Json = kind.keep === undefined ? (data as Json) : kind.keep(data);
  const size = JSON.stringify(kept).length;
  if (size > KEPT) throw new Error(`${kind.kind} keeps ${size} characters of data; at most ${KEPT} are allowed`);
  return kept;
}
