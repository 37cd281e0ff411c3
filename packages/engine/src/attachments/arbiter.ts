/** Gives each attachment its room, in catalogue order, renders it, and says what was cut. */
import type { Content, Json } from '../content/content.js';
import { isBlank } from '../content/text.js';
import type { Collected, Effect } from '../transcript/records.js';
import type { Found } from './collector.js';
import { effectsOf } from './collector.js';
import type { AnyAttachmentKind } from './contract.js';
import type { Ports } from './ports.js';

/** Share of the window that the attachments of one message may take; never less than `LEAST` tokens. */
const SHARE = 0.1;
const LEAST = 20_000;
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

/** Renders what was found. A kind that fails here is reported and left out; nothing of it reaches the model. */
export function renderAll(
  found: readonly Found[],
  { window, tokens }: { readonly window: number; readonly tokens: Ports['tokens'] },
): { readonly rendered: readonly Rendered[]; readonly report: readonly Collected[] } {
  let room = Math.max(LEAST, Math.floor(window * SHARE));
  const rendered: Rendered[] = [];
  const report: Collected[] = [];
  for (const { kind, data, call } of found) {
    try {
      const own = { tokens: room };
      const { content, cut } = kind.render(data, own);
      const one = {
        kind,
        data: keep(kind, data),
        content: content.filter((block) => block.type !== 'text' || !isBlank(block.text)),
        effects: effectsOf(kind, data, own),
        call: call ?? kind.call?.(data),
        title: kind.title(data),
        reason: kind.reason(data),
      };
      room = Math.max(0, room - tokens(one.content));
      rendered.push(one);
      if (cut !== undefined) report.push({ kind: kind.kind, outcome: 'cut', ms: 0, why: cut });
    } catch (error) {
      report.push({ kind: kind.kind, outcome: 'failed', ms: 0, why: error instanceof Error ? error.message : String(error) });
    }
  }
  return { rendered, report };
}

function keep(kind: AnyAttachmentKind, data: unknown): Json {
  const kept: Json = kind.keep === undefined ? (data as Json) : kind.keep(data);
  const size = JSON.stringify(kept).length;
  if (size > KEPT) throw new Error(`${kind.kind} keeps ${size} characters of data; at most ${KEPT} are allowed`);
  return kept;
}
