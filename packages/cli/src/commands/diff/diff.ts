/** `sidenote diff [session] [n]`: one stored request against the one before it. Nothing is sent, and no lock is taken. */
import { modelName } from '@sidenote/agent';
import { accountOf, diffRequests, readTranscript } from '@sidenote/engine';
import { localPorts } from '@sidenote/node';
import { portOptions } from '../../assemble/instruction-options.js';
import { namedSession, NoSessionError } from '../../assemble/named-session.js';
import { setUp } from '../../assemble/set-up.js';
import { switched, type Flags } from '../../flags/parse.js';
import { notice, say, type Io } from '../../io.js';
import { UsageError } from '../../usage-error.js';
import { diffText, type ComparedRequest } from './text.js';

/** @throws {UsageError} @throws {NoSessionError} */
export async function diff(io: Io, flags: Flags): Promise<number> {
  const setup = await setUp(io, flags);
  const { name, number: asked } = wanted(flags.prompt);
  const session = await namedSession({ store: setup.store, name, tell: (line) => notice(io, line) });
  const { records, transcript, notes } = await readTranscript(setup.store, session);
  for (const note of notes) notice(io, note);
  const requests = records.flatMap((record) => (record.type === 'request' && record.purpose === 'turn' ? [record.id] : []));
  const number = asked ?? requests.length;
  const request = requests[number - 1];
  if (request === undefined) throw new UsageError(`session ${session} has ${requests.length} requests, from 1 on`);
  const ports = localPorts(portOptions(setup, modelName(setup.asked, setup.io.env)));
  const profile = (model: string) => setup.profile(model);
  const found = diffRequests({ records, request, ports, profile });
  if (found === null) throw new NoSessionError(`what request ${number} of session ${session} was made of is no longer there`);
  const account = accountOf(transcript, profile).find((one) => one.request === request) ?? null;
  const compared: ComparedRequest = { session, number, of: requests.length, diff: found, account };
  if (switched(flags, 'json')) io.stdout.write(`${JSON.stringify(compared, null, 2)}\n`);
  else say(io, diffText(compared));
  return 0;
}

/** A short number alone is a request of the newest session; ids are longer. */
function wanted(words: string | undefined): { readonly name: string | undefined; readonly number: number | undefined } {
  const parts = words?.split(/\s+/).filter((part) => part !== '') ?? [];
  const isNumber = (part: string | undefined): part is string => part !== undefined && /^\d{1,6}$/.test(part);
  const last = parts.at(-1);
  const number = isNumber(last) ? Number(last) : undefined;
  const names = number === undefined ? parts : parts.slice(0, -1);
  if (names.length > 1 || number === 0)
    throw new UsageError('sidenote diff [session] [n]: a session, and the number of a request in it from 1 on');
  return { name: names[0], number };
}
