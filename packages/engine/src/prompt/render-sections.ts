/** Computes the sections of a system prompt: side by side, each under one deadline, none able to hold up or break the start. */
import { messageOf } from '../content/message-of.js';
import type { Collected, Section } from '../transcript/records.js';
import { DuplicateSectionError } from './errors.js';
import type { PromptPart, SectionContext, SystemSection } from './system-section.js';

/** Milliseconds for all sections together. */
const DEADLINE = 5_000;

/** Milliseconds, as in `Ports`. */
export type SectionClock = { now(): number; sleep(ms: number, signal: AbortSignal): Promise<void> };

export type RenderOptions = {
  readonly model: string;
  readonly clock: SectionClock;
  /** Sections that stay out: what was late or failed when this session asked for it before. */
  readonly out?: readonly Collected[];
};

export type RenderedSections = {
  readonly sections: readonly Section[];
  /** What is not among them though it was asked for. `kind` is `system:` and the section's name. */
  readonly absent: readonly Collected[];
};

/** Throws `DuplicateSectionError`. */
export async function renderSections(parts: readonly PromptPart[], { model, clock, out = [] }: RenderOptions): Promise<RenderedSections> {
  const names = new Set<string>();
  for (const { name } of parts) {
    if (names.has(name)) throw new DuplicateSectionError(name);
    names.add(name);
  }
  if (!parts.some(isComputed)) return { sections: parts.filter((part): part is Section => !isComputed(part)), absent: [] };
  const late = new AbortController();
  const done = new AbortController();
  const deadline = clock.sleep(DEADLINE, done.signal).then(
    () => late.abort(),
    () => undefined,
  );
  const context = { model, signal: late.signal };
  const kept = (name: string) => out.find((one) => one.kind === absentKind(name));
  const all = await Promise.all(
    parts.map((part) => (isComputed(part) ? (kept(part.name) ?? compute(part, { context, clock, deadline })) : part)),
  );
  done.abort();
  return {
    sections: all.filter((one): one is Section => one !== null && 'text' in one),
    absent: all.filter((one): one is Collected => one !== null && 'outcome' in one),
  };
}

/** How a section is called in reports. */
export const absentKind = (section: string): string => `system:${section}`;

const isComputed = (part: PromptPart): part is SystemSection => 'compute' in part;

type Asked = { readonly context: SectionContext; readonly clock: SectionClock; readonly deadline: Promise<void> };

async function compute(section: SystemSection, { context, clock, deadline }: Asked): Promise<Section | Collected | null> {
  const { name } = section;
  const started = clock.now();
  const absent = (outcome: 'late' | 'failed', why: string): Collected => {
    return { kind: absentKind(name), outcome, ms: Math.max(0, clock.now() - started), why };
  };
  try {
    const answer = Promise.resolve(section.compute(context)).then((text) => ({ text }));
    // A late answer may still fail: nobody waits for it then.
    answer.catch(() => undefined);
    const first = await Promise.race([answer, deadline]);
    if (first === undefined) return absent('late', `no answer after ${DEADLINE} ms; it stays out for the session`);
    return first.text === null ? null : { name, text: first.text, static: section.static };
  } catch (error) {
    return absent('failed', messageOf(error));
  }
}
