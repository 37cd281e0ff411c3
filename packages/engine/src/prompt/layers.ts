/** The layers of a system prompt, and which of them win. Pure. */
import { isBlank } from '../content/text.js';
import type { Section } from '../transcript/records.js';
import type { PromptPart } from './system-section.js';

/** Each layer is a list of sections, computed or not: only those of layers that are sent are ever computed. */
export type PromptLayers<Part extends PromptPart = Section> = {
  /** For loop-like drivers: replaces everything, `append` included. */
  readonly override?: readonly Part[];
  /** When the coordinator mode is on and no agent was chosen. */
  readonly coordinator?: readonly Part[];
  /** Replaces the default; in proactive mode it is appended to it under a heading. */
  readonly agent?: readonly Part[];
  /** `--system-prompt`. An empty list means no base prompt. */
  readonly custom?: readonly Part[];
  readonly base: readonly Part[];
  /** Always last, never with an override. */
  readonly append?: readonly Part[];
  readonly proactive?: boolean;
};

export type LayerName = 'override' | 'coordinator' | 'agent' | 'custom' | 'base';
/** A system prompt as `openSession` takes it: the layers that won and lost are kept in the `prefix` record. */
export type EffectivePrompt<Part extends PromptPart = Section> = {
  readonly sections: readonly (Part | Section)[];
  readonly won: LayerName;
  readonly lost: readonly LayerName[];
  readonly proactive: boolean;
};

const HEADING: Section = { name: 'agent-heading', text: '# Instructions of the chosen agent', static: true };

/** The sections that are sent. A blank override or append counts as absent. */
export function effectivePrompt<Part extends PromptPart = Section>(layers: PromptLayers<Part>): EffectivePrompt<Part> {
  const override = present(layers.override);
  const append = present(layers.append) ?? [];
  const coordinator = layers.agent === undefined ? present(layers.coordinator) : undefined;
  const agent = present(layers.agent);
  const candidates: readonly (readonly [LayerName, readonly Part[] | undefined])[] = [
    ['override', override],
    ['coordinator', coordinator],
    ['agent', agent],
    ['custom', layers.custom],
    ['base', layers.base],
  ];
  const given = candidates.filter((candidate): candidate is readonly [LayerName, readonly Part[]] => candidate[1] !== undefined);
  const [won, sections] = given[0] ?? (['base', layers.base] as const);
  const joined = won === 'agent' && layers.proactive === true ? [...layers.base, HEADING, ...sections] : sections;
  const lost = given.map(([name]) => name).filter((name) => name !== won && !(name === 'base' && joined.length > sections.length));
  return { sections: won === 'override' ? joined : [...joined, ...append], won, lost, proactive: layers.proactive === true };
}

/** System context (git, a debug entry) stands behind a prompt of the client's own; someone else's whole prompt stands alone. */
export const takesContext = (won: string | undefined): boolean => won !== 'custom' && won !== 'override';

function present<Part extends PromptPart>(sections: readonly Part[] | undefined): readonly Part[] | undefined {
  return sections === undefined || sections.every((section) => 'text' in section && isBlank(section.text)) ? undefined : sections;
}
