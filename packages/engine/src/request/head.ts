/** The head of a request: what one `prefix` record makes of system and tools. Rendered once per prefix, frozen, shared by all its requests. */
import type { Json } from '../content/content.js';
import { isBlank } from '../content/text.js';
import type { PrefixRecord, Section } from '../transcript/records.js';
import { deepFreeze } from './freeze.js';
import type { BlockOwners } from './owners.js';
import type { Owner } from './plan.js';
import type { MessagesBody } from './wire.js';

export type Head = {
  readonly model: string;
  readonly system: MessagesBody['system'];
  readonly systemOwners: readonly BlockOwners[];
  /** Index of the last static system block; -1 when there is none. */
  readonly boundary: number;
  readonly tools: MessagesBody['tools'];
  readonly params: Pick<MessagesBody, 'thinking' | 'output_config'>;
  /** Canonical text of everything that is part of the prefix. */
  readonly bytes: string;
};

type HeadSource = Pick<PrefixRecord, 'id' | 'model' | 'params' | 'system' | 'tools'>;

/** Static sections make one block, the others a second one: block borders are part of what is cached. */
export function headOf(prefix: HeadSource): Head {
  const sections = prefix.system.filter((section) => !isBlank(section.text));
  const blocks = [sections.filter((section) => section.static), sections.filter((section) => !section.static)].filter(
    (group) => group.length > 0,
  );
  const system = blocks.map((group) => ({ type: 'text' as const, text: group.map((section) => section.text).join('\n\n') }));
  const head = {
    model: prefix.model,
    system,
    systemOwners: blocks.map((group) => sectionOwners(group, prefix)),
    boundary: sections.some((section) => section.static) ? 0 : -1,
    tools: prefix.tools.map((tool) => ({ ...tool })),
    params: paramsOf(prefix.params),
  };
  return deepFreeze({ ...head, bytes: JSON.stringify([head.model, head.tools, head.system, head.params]) });
}

function sectionOwners(sections: readonly Section[], prefix: HeadSource): BlockOwners {
  return [
    sections.map((section, index) => {
      const owner: Owner = { type: 'section', name: section.name, record: prefix.id };
      return { owner, length: section.text.length + (index < sections.length - 1 ? 2 : 0) };
    }),
  ];
}

/** Parameters were checked when the session was opened; what a record holds is sent as it is. */
function paramsOf(params: Json): Head['params'] {
  return typeof params === 'object' && params !== null && !Array.isArray(params) ? (params as Head['params']) : {};
}
