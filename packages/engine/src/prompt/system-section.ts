/** A named part of a system prompt that is computed when a prefix begins, and never again under it. */
import type { Section } from '../transcript/records.js';

export type SectionContext = {
  /** The model that will answer. */
  readonly model: string;
  /** Aborted when the section is too late to be sent. */
  readonly signal: AbortSignal;
};

export type SystemSection = {
  readonly name: string;
  readonly static: boolean;
  readonly compute: (context: SectionContext) => string | null | Promise<string | null>;
};

/** What a system prompt is made of: text that is there, or sections that are computed when they are needed. */
export type PromptPart = Section | SystemSection;

/**
 * A section by name. `compute` is asked once per prefix; null leaves the section out. `static`: it holds nothing per user,
 * machine, folder, clock or version, so it stands before the cache boundary. Default: it does not.
 *
 * ```ts
 * systemSection('style', () => readStyle(), { static: true });
 * ```
 */
export function systemSection(
  name: string,
  compute: SystemSection['compute'],
  { static: isStatic = false }: { readonly static?: boolean } = {},
): SystemSection {
  return { name, static: isStatic, compute };
}
