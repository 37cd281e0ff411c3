/** The prefix that the next request needs: the stored one, or a new one with its cause. */
import { gitSnapshot } from '../attachments/kinds/git-snapshot.js';
import type { Ports } from '../attachments/ports.js';
import type { Json } from '../content/content.js';
import { takesContext } from '../prompt/layers.js';
import { thinkingOf } from '../request/profiles.js';
import { prefixFold } from '../request/sent.js';
import type { Fold } from '../transcript/fold.js';
import type { TranscriptLog } from '../transcript/log.js';
import type { PrefixCause, PrefixRecord, Restriction, StateRecord } from '../transcript/records.js';
import type { Retry, SessionOptions } from './session.js';
import { GIT_SECTION, INJECTION_SECTION, renderSystem, type RenderedSystem } from './system.js';
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
type Params = Readonly<Record<string, Json>>;

export type PrefixContext = {
  readonly log: TranscriptLog;
  readonly session: Pick<SessionOptions, 'model' | 'tools' | 'system' | 'params' | 'client' | 'git'>;
  readonly ports: Pick<Ports, 'clock' | 'ids' | 'git'>;
};

/** Undefined when the stored prefix stays: its bytes win over changed settings and a newer client. */
export async function nextPrefix(context: PrefixContext): Promise<PrefixDraft | undefined> {
  const { log, session } = context;
  const current = log.read(prefixFold).value;
  const settings = log.read(stateFold);
  const model = typeof settings.model === 'string' ? settings.model : (current?.model ?? session.model);
  const params = withEffort(paramsFor(current, model, session.params), settings.effort);
  const cause = causeOf(current, { model, params, injection: injectionOf(context) });
  return cause === undefined ? undefined : draft(context, { cause, model, params });
}

/** The mode that a session begins with, kept with its first words. It belongs to the session, so that sub-agents keep none. */
export function firstMode(
  { log, session, ports, isMain }: PrefixContext & { readonly isMain: boolean; readonly session: Pick<SessionOptions, 'mode'> },
  prefix: PrefixDraft | undefined,
): readonly Draft[] {
  if (prefix?.cause !== 'start' || !isMain || session.mode === undefined || log.read(stateFold).mode !== undefined) return [];
  return [{ id: ports.ids.next(), type: 'state', key: 'mode', value: session.mode }];
}

/** The prefix under which the same messages are asked for once more. */
export function retryPrefix(context: PrefixContext, current: PrefixRecord, how: Retry): Promise<PrefixDraft> {
  if (how.cause === 'fallback') {
    const params = paramsFor(current, how.model, context.session.params);
    return draft(context, { cause: 'fallback', model: how.model, params });
  }
  const without = [...new Set([...(current.without ?? []), how.without])];
  return draft(context, { cause: how.cause, model: current.model, params: current.params, without });
}

type Wanted = {
  readonly cause: PrefixCause;
  readonly model: string;
  readonly params: Json;
  readonly without?: readonly Restriction[];
};

async function draft(context: PrefixContext, { cause, model, params, without }: Wanted): Promise<PrefixDraft> {
  const { log, session, ports } = context;
  const current = log.read(prefixFold).value;
  // Nothing in a system prompt depends on the effort or on what a provider takes.
  const keeps = current !== null && (cause === 'effort' || cause === 'provider-refused');
  const { sections, absent, layer } = keeps ? rendered(current) : await render(context, model);
  const refused = without ?? current?.without ?? [];
  return {
    id: ports.ids.next(),
    type: 'prefix',
    cause,
    system: sections,
    tools: current?.tools ?? [...session.tools],
    model,
    params,
    client: session.client ?? 'sidenote',
    ...(layer === undefined ? {} : { layer }),
    ...(absent.length === 0 ? {} : { absent }),
    ...(refused.length === 0 ? {} : { without: refused }),
  };
}

function rendered({ system, absent = [], layer }: PrefixRecord): RenderedSystem {
  return { sections: system, absent, ...(layer === undefined ? {} : { layer }) };
}

function render(context: PrefixContext, model: string): Promise<RenderedSystem> {
  const { log, session, ports } = context;
  const out = (log.read(prefixFold).value?.absent ?? []).filter(({ outcome }) => outcome === 'late' || outcome === 'failed');
  // A window that began with the snapshot in its opening has it already.
  const git = session.git?.position === 'system' && log.read(gitSnapshot.told).value === undefined;
  return renderSystem(session.system, { model, ports, git, injection: settingOf(context), out });
}

/** Why the kind `git_snapshot` has nothing to tell under this prefix; undefined when it has. */
export function gitStandsInSystem({ system, absent = [] }: Pick<PrefixRecord, 'system' | 'absent'>): string | undefined {
  if (system.some(({ name }) => name === GIT_SECTION)) return 'it stands in the system prompt (git.position)';
  const why = absent.find(({ kind }) => kind === `system:${GIT_SECTION}`)?.why;
  return why === undefined ? undefined : `it was to stand in the system prompt (git.position): ${why}`;
}

type Now = { readonly model: string; readonly params: Json; readonly injection: string | null };

function causeOf(current: PrefixRecord | null, { model, params, injection }: Now): PrefixCause | undefined {
  if (current === null) return 'start';
  if (current.model !== model) return 'model';
  if (JSON.stringify(current.params) !== JSON.stringify(params)) return 'effort';
  const stands = current.system.find(({ name }) => name === INJECTION_SECTION)?.text ?? null;
  return stands === injection ? undefined : 'debug';
}

/** The debug entry as far as the prompt in force would hold one. */
function injectionOf(context: PrefixContext): string | null {
  return takesContext(context.log.read(prefixFold).value?.layer?.won) ? settingOf(context) : null;
}

function settingOf({ log }: PrefixContext): string | null {
  const { injection } = log.read(stateFold);
  return typeof injection === 'string' && injection.trim() !== '' ? injection : null;
}

/** Parameters go on from prefix to prefix. A thinking parameter that was its model's default becomes the other model's default. */
export function paramsFor(current: PrefixRecord | null, model: string, given: Params = {}): Params {
  if (current === null) return given;
  const params = paramsOf(current);
  if (current.model === model || JSON.stringify(params['thinking']) !== JSON.stringify(thinkingOf(current.model).thinking)) return params;
  const { thinking: _, ...rest } = params;
  const { thinking } = thinkingOf(model);
  return thinking === undefined ? rest : { thinking, ...rest };
}

const paramsOf = (prefix: PrefixRecord): Params =>
  typeof prefix.params === 'object' && prefix.params !== null && !Array.isArray(prefix.params) ? (prefix.params as Params) : {};

function withEffort(params: Params, effort: Json | undefined): Params {
  return typeof effort === 'string' ? { ...params, output_config: { effort } } : params;
}
