/** Kinds of context that someone switched on or off in a session: the newest word of each counts, also after a resume. */
import type { Json } from '../content/content.js';
import type { Transcript } from '../transcript/fold.js';
import { stateFold } from './prefix.js';

type Log = Pick<Transcript, 'read'>;
type Off = Readonly<Record<string, string>>;

const WHY = 'switched off for this session (/reminders)';

/** What was said of each kind, as a value for `set('kinds', …)`. */
export function kindSwitches(log: Log): Readonly<Record<string, 'on' | 'off'>> {
  const { kinds } = log.read(stateFold);
  if (typeof kinds !== 'object' || kinds === null || Array.isArray(kinds)) return {};
  const entries = Object.entries(kinds as Readonly<Record<string, Json>>);
  return Object.fromEntries(entries.filter((entry): entry is [string, 'on' | 'off'] => entry[1] === 'on' || entry[1] === 'off'));
}

/** Why a kind is off, on anyone's word; undefined when it is not. `off`: what the session was opened with. */
export function whyOff(kind: string, { log, off }: { readonly log: Log; readonly off: Off | undefined }): string | undefined {
  const switches = kindSwitches(log);
  const said = Object.hasOwn(switches, kind) ? switches[kind] : undefined;
  return said === 'on' ? undefined : said === 'off' ? WHY : off?.[kind];
}

/** Kinds that are off in threads that begin now. */
export function switchedOff(log: Log): Off {
  const off = Object.entries(kindSwitches(log)).filter(([, said]) => said === 'off');
  return Object.fromEntries(off.map(([kind]) => [kind, WHY]));
}
