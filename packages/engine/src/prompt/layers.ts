/** The layers of a system prompt, and which of them win. Pure. */
import { isBlank } from '../content/text.js';
import type { Section } from '../transcript/records.js';

export type PromptLayers = {
  /** For loop-like drivers: replaces everything, `append` included. */
  readonly override?: readonly Section[];
  /** When the coordinator mode is on and no agent was chosen. */
  readonly coordinator?: readonly Section[];
  /** Replaces the default; in proactive mode it is appended to it under a heading. */
  readonly agent?: readonly Section[];
  /** `--system-prompt`. An empty list means no base prompt. */
  readonly custom?: readonly Section[];
  readonly base: readonly Section[];
  /** Always last, never with an override. */
  readonly append?: readonly Section[];
  readonly proactive?: boolean;
};

export type LayerName = 'override' | 'coordinator' | 'agent' | 'custom' | 'base';
export type EffectivePrompt = { readonly sections: readonly Section[]; readonly won: LayerName; readonly lost: readonly LayerName[] };

const HEADING: Section = { name: 'agent-heading', text: '# Instructions of the chosen agent', static: true };

/** The sections that are sent. A blank override or append counts as absent. */
export function effectivePrompt(layers: PromptLayers): EffectivePrompt {
  const override = present(layers.override);
  const append = present(layers.append) ?? [];
  const coordinator = layers.agent === undefined ? present(layers.coordinator) : undefined;
  const agent = present(layers.agent);
  const candidates: readonly (readonly [LayerName, readonly Section[] | undefined])[] = [
    ['override', override],
    ['coordinator', coordinator],
    ['agent', agent],
    ['custom', layers.custom],
    ['base', layers.base],
  ];
  const given = candidates.filter((candidate): candidate is readonly [LayerName, readonly Section[]] => candidate[1] !== undefined);
  const [won, sections] = given[0] ?? (['base', layers.base] as const);
  const joined = won === 'agent' && layers.proactive === true ? [...layers.base, HEADING, ...sections] : sections;
  const lost = given.map(([name]) => name).filter((name) => name !== won && !(name === 'base' && joined.length > sections.length));
  return { sections: won === 'override' ? joined : [...joined, ...append], won, lost };
}

function present(sections: readonly Section[] | undefined): readonly Section[] | undefined {
  return sections === undefined || sections.every((section) => isBlank(section.text)) ? undefined : sections;
}
