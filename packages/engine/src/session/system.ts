/** Renders the system prompt of a prefix: the source's own sections, then system context (git where it is set so, a debug entry). */
import { GIT_HEADING } from '../attachments/kinds/git-snapshot.js';
import { neutralise } from '../content/tags.js';
import { wellFormed } from '../content/text.js';
import { takesContext } from '../prompt/layers.js';
import { absentKind, renderSections, type RenderedSections } from '../prompt/render-sections.js';
import { systemSection, type PromptPart } from '../prompt/system-section.js';
import type { Ports } from '../attachments/ports.js';
import type { Collected, Layer, Section } from '../transcript/records.js';
import type { SystemPrompt, SystemSource } from './session.js';

export type SystemOptions = {
  readonly model: string;
  readonly ports: Pick<Ports, 'clock' | 'git'>;
  /** True when the git snapshot belongs here. */
  readonly git: boolean;
  /** The debug entry; null when there is none. */
  readonly injection: string | null;
  /** Sections that stay out of this session. */
  readonly out: readonly Collected[];
};

export type RenderedSystem = RenderedSections & { readonly layer?: Layer };

export const GIT_SECTION = 'git';
export const INJECTION_SECTION = 'injection';

/** Throws `DuplicateSectionError`, and whatever a source that is a function throws. */
export async function renderSystem(source: SystemSource, options: SystemOptions): Promise<RenderedSystem> {
  const { model, ports, out } = options;
  const prompt = await promptOf(source, model);
  const context = contextOf(options);
  const takes = takesContext(prompt.won);
  const rendered = await renderSections(takes ? [...prompt.sections, ...context] : prompt.sections, { model, clock: ports.clock, out });
  const dropped = takes ? [] : context.map(({ name }): Collected => droppedBy(name, prompt.won));
  const { won, lost = [], proactive = false } = prompt;
  return {
    sections: rendered.sections,
    absent: [...rendered.absent, ...dropped],
    ...(won === undefined ? {} : { layer: { won, lost, proactive } }),
  };
}

/** Whether a section stands there as the machine is, and not as the prompt's author wrote it. */
export const isContext = ({ name }: Pick<Section, 'name'>): boolean => name === GIT_SECTION || name === INJECTION_SECTION;

async function promptOf(source: SystemSource, model: string): Promise<SystemPrompt> {
  if (typeof source === 'string') return { sections: [{ name: 'system', text: source, static: true }] };
  const given = typeof source === 'function' ? await source({ model }) : source;
  return 'sections' in given ? given : { sections: given };
}

function contextOf({ ports, git, injection }: SystemOptions): readonly PromptPart[] {
  const snapshot = ports.git;
  return [
    ...(git && snapshot !== undefined ? [gitSection(snapshot)] : []),
    ...(injection === null ? [] : [{ name: INJECTION_SECTION, text: injection, static: false }]),
  ];
}

function gitSection(git: NonNullable<Ports['git']>): PromptPart {
  return systemSection(GIT_SECTION, async ({ signal }) => {
    const reading = await git.read(signal);
    if (reading.type === 'unavailable') throw new Error(reading.why);
    const text = reading.value.text.trimEnd();
    return text === '' ? null : GIT_HEADING + neutralise(wellFormed(text));
  });
}

const droppedBy = (name: string, won: string | undefined): Collected => ({
  kind: absentKind(name),
  outcome: 'off',
  ms: 0,
  why: `a whole system prompt was given (${won ?? 'custom'}), and system context belongs to the client's own`,
});
