/** The prefix that the next request needs: the stored one, or a new one with its cause. */
import type { Ports } from '../attachments/ports.js';
import type { Json } from '../content/content.js';
import { prefixFold } from '../request/sent.js';
import type { Fold } from '../transcript/fold.js';
import type { TranscriptLog } from '../transcript/log.js';
import type { PrefixCause, PrefixRecord, Section, StateRecord } from '../transcript/records.js';
import type { SessionOptions, SystemSource } from './session.js';
import type { Draft } from './writer.js';

/** Fold: settings as they are now; a rewind does not undo them. */
export const stateFold: Fold<Partial<Record<StateRecord['key'], Json>>> = {
  name: 'settings',
  scope: 'session',
  on: ['state'],
  initial: () => ({}),
  step: (state, record) => (record.type === 'state' ? { ...state, [record.key]: record.value } : state),
};

export type PrefixDraft = Extract<Draft, { type: 'prefix' }>;
type PrefixOptions = Pick<SessionOptions, 'model' | 'tools' | 'system' | 'params' | 'client'>;

/** Undefined when the stored prefix stays: its bytes win over changed settings and a newer client. */
export async function nextPrefix(log: TranscriptLog, options: PrefixOptions, ports: Pick<Ports, 'ids'>): Promise<PrefixDraft | undefined> {
  const current = log.read(prefixFold).value;
  const settings = log.read(stateFold);
  const model = typeof settings.model === 'string' ? settings.model : (current?.model ?? options.model);
  const params = withEffort(current === null ? (options.params ?? {}) : paramsOf(current), settings.effort);
  const cause = causeOf(current, model, params);
  if (cause === undefined) return undefined;
  const system = current !== null && cause === 'effort' ? current.system : await renderSystem(options.system, model);
  const tools = current === null ? [...options.tools] : current.tools;
  return { id: ports.ids.next(), type: 'prefix', cause, system, tools, model, params, client: options.client ?? 'sidenote' };
}

function causeOf(current: PrefixRecord | null, model: string, params: Json): PrefixCause | undefined {
  if (current === null) return 'start';
  if (current.model !== model) return 'model';
  return JSON.stringify(current.params) === JSON.stringify(params) ? undefined : 'effort';
}

const paramsOf = (prefix: PrefixRecord): Readonly<Record<string, Json>> =>
  typeof prefix.params === 'object' && prefix.params !== null && !Array.isArray(prefix.params)
    ? (prefix.params as Record<string, Json>)
    : {};

function withEffort(params: Readonly<Record<string, Json>>, effort: Json | undefined): Readonly<Record<string, Json>> {
  return typeof effort === 'string' ? { ...params, output_config: { effort } } : params;
}

async function renderSystem(source: SystemSource, model: string): Promise<readonly Section[]> {
  if (typeof source === 'string') return [{ name: 'system', text: source, static: true }];
  return typeof source === 'function' ? source({ model }) : source;
}
