/** Makes the conversation that all views talk to: one session at a time, exchanged by `/new` and `/resume`. */
import type { Id, Session, Store } from '@sidenote/engine';
import { answeringModel, modelName, type Mode, type SessionEnding } from '@sidenote/agent';
import { allSpending, plus } from '../spending.js';
import { findSession, pruneSessions } from '@sidenote/node';
import { sessionEntries } from '../commands/sessions/entries.js';
import type { Conversation } from '../conversation.js';
import { failureText } from '../failure-text.js';
import { EFFORTS } from '../flags/flag-table.js';
import { chosen, switched, text, type Flags } from '../flags/parse.js';
import { companionOf } from './companion.js';
import { compactsAt } from './compaction-policy.js';
import { explainFiles } from './instruction-options.js';
import { waitingNotice } from './mcp-servers.js';
import type { Models } from './models.js';
import { namedSession } from './named-session.js';
import { openOne, type Hooks, type Opened, type Which } from './open-session.js';
import { UsageError } from '../usage-error.js';
import type { Setup } from './set-up.js';

/** @throws {ModelUnavailableError} @throws {NoSessionError} and what the store throws. */
export async function assemble(setup: Setup, models: Models, hooks: Hooks): Promise<Conversation> {
  for (const line of [...setup.notices, ...waitingNotice(setup.mcp)]) hooks.notice?.(line);
  const { flags, store, io } = setup;
  const which = await whichSession({ store, flags, newId: () => crypto.randomUUID(), tell: (line) => hooks.notice?.(line) });
  // A stored session goes on with its own model, whose key may be another one's.
  const asked = which.type === 'new' || switched(flags, 'model') ? models.use(setup.asked).model : modelName(setup.asked, io.env);
  const open = (which: Which, how: { readonly model: string; readonly mode?: Mode }): Promise<Opened> =>
    openOne({ setup, models, which, hooks, ...how });
  let current = await open(which, { model: asked });
  const asidesOf = ({ session }: Opened): readonly (number | null)[] => session.main.transcript.read(setup.spending).asides;
  // Those of an earlier process were in its own result.
  let former = asidesOf(current).length;
  // Of a session before its first request; then the transcript tells.
  let fallback = asked;
  const model = (): string => modelOf(current.session, fallback);
  try {
    await applyFlags(current.session, flags, asked);
    models.adapter(model());
    // A model that could never step in should be known now, not when it is needed.
    if (setup.fallbackModel !== undefined) models.adapter(setup.fallbackModel);
  } catch (error) {
    await current.close();
    throw error;
  }
  current.agent.start(which.type === 'new' ? 'startup' : which.type);

  const end = async (why: SessionEnding): Promise<void> => {
    for (const line of await current.agent.end(why)) hooks.notice?.(line);
  };
  /** The new one is open, and its model can be used, before the old one ends: a failure leaves everything as it was. */
  const exchange = async (which: Which): Promise<void> => {
    const answering = model();
    const next = await open(which, { model: answering, mode: current.agent.permissions.mode });
    try {
      models.adapter(modelOf(next.session, answering));
    } catch (error) {
      await next.close();
      throw error;
    }
    await end(which.type === 'new' ? 'clear' : 'resume');
    await current.close();
    current = next;
    former = asidesOf(current).length;
    current.agent.start(which.type === 'new' ? 'clear' : which.type);
    fallback = answering;
  };
  return {
    get agent() {
      return current.agent;
    },
    get session() {
      return current.session;
    },
    get model() {
      return model();
    },
    get profile() {
      return setup.profile(model());
    },
    get compactsAt() {
      return compactsAt(setup, setup.profile(model()));
    },
    profileFor: (name) => setup.profile(name),
    get spent() {
      return allSpending(current.session.threads.map(({ transcript }) => transcript.read(setup.spending)));
    },
    get asidesUsd() {
      return asidesOf(current).slice(former).reduce(plus, 0);
    },
    spentBy: ({ transcript }) => transcript.read(setup.spending),
    get tools() {
      return current.tools;
    },
    get agents() {
      return current.agents;
    },
    get background() {
      return current.background;
    },
    get mcp() {
      return current.mcp;
    },
    get editor() {
      return current.editor;
    },
    get planFile() {
      return current.planFile;
    },
    get languageServers() {
      return current.languageServers;
    },
    get commands() {
      return current.commands;
    },
    get styles() {
      return current.styles;
    },
    companion: companionOf(setup),
    off: setup.off,
    cwd: io.cwd,
    keySource: keySource(io.env),
    instructions: () => explainFiles(setup, model()),
    async setModel(name) {
      await current.session.set('model', models.use(name).model);
    },
    async setMode(mode) {
      await current.session.set('mode', mode);
    },
    renew: () => exchange({ type: 'new', id: crypto.randomUUID() }),
    resume: (id) => exchange({ type: 'resume', id }),
    list: () => sessionEntries(store),
    async close() {
      await end(io.signal.aborted || switched(flags, 'print') ? 'other' : 'prompt_input_exit');
      await current.close();
      await cleanUp(setup, hooks, current.session.id);
    },
  };
}

/** What the setting `cleanupPeriodDays` asks for, once nothing of this process is open any more. */
async function cleanUp({ loaded, flags, io, configDir }: Setup, hooks: Hooks, except: Id): Promise<void> {
  const days = loaded.settings.cleanupPeriodDays;
  if (days === undefined || switched(flags, 'no-session-persistence')) return;
  try {
    const removed = await pruneSessions({ cwd: io.cwd, configDir, before: Date.now() - days * 86_400_000, except });
    if (removed.length > 0) hooks.notice?.(`sessions not written for ${days} days were removed (cleanupPeriodDays): ${removed.length}`);
  } catch (error) {
    hooks.notice?.(`old sessions could not be removed (cleanupPeriodDays): ${failureText(error)}`);
  }
}

function modelOf(session: Session, asked: string): string {
  return answeringModel(session.main) ?? asked;
}

/** What was asked for now wins over what the stored session says. */
async function applyFlags(session: Session, flags: Flags, asked: string): Promise<void> {
  if (session.main.transcript.head === null) return;
  const effort = chosen(flags, 'effort', EFFORTS);
  if (switched(flags, 'model') && modelOf(session, asked) !== asked) await session.set('model', asked);
  if (effort !== undefined) await session.set('effort', effort);
}

type Stored = { readonly store: Store; readonly flags: Flags; readonly tell: (line: string) => void };

async function whichSession({ newId, ...stored }: Stored & { readonly newId: () => Id }): Promise<Which> {
  const { store, flags } = stored;
  const id = (await freeId(store, text(flags, 'session-id'))) ?? newId();
  const from = await storedSession(stored);
  if (from === undefined) return { type: 'new', id };
  return switched(flags, 'fork-session') ? { type: 'fork', from, id } : { type: 'resume', id: from };
}

/** @throws {UsageError} where a session has this id: a new one would be written into it. */
async function freeId(store: Store, id: string | undefined): Promise<Id | undefined> {
  if (id === undefined || (await findSession({ store, name: id })).type === 'missing') return id;
  throw new UsageError(`--session-id ${id}: there is such a session; -r ${id} goes on with it`);
}

async function storedSession({ flags, ...stored }: Stored): Promise<Id | undefined> {
  if (switched(flags, 'continue')) return namedSession({ ...stored, name: undefined });
  const name = text(flags, 'resume');
  return name === undefined ? undefined : namedSession({ ...stored, name });
}

function keySource(env: Readonly<Record<string, string | undefined>>): string {
  return ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'OPENAI_API_KEY'].find((name) => (env[name] ?? '') !== '') ?? 'none';
}
