/** How the prompt and the tools of now differ from the stored prefix, whose bytes are sent all the same. */
import { messageOf } from '../content/message-of.js';
import { compareHeads, type PrefixDrift } from '../request/compare.js';
import { absentKind } from '../prompt/render-sections.js';
import { prefixFold } from '../request/sent.js';
import type { Collected } from '../transcript/records.js';
import type { PrefixContext } from './prefix.js';
import { isContext, renderSystem } from './system.js';

/** Empty when nothing differs, or nothing is stored yet. Git and a debug entry are as of then; nobody expects them to be equal. */
export async function driftOf({ log, session, ports }: PrefixContext): Promise<readonly PrefixDrift[]> {
  const stored = log.read(prefixFold).value;
  if (stored === null) return [];
  const { model, absent: out = [] } = stored;
  const { sections, absent } = await renderSystem(session.system, { model, ports, git: false, injection: null, out });
  // A section that is late now says nothing about what it would be.
  const unknown = new Set(absent.map(({ kind }) => kind));
  const system = stored.system.filter((section) => !isContext(section) && !unknown.has(absentKind(section.name)));
  return compareHeads({ system, tools: stored.tools }, { system: sections, tools: session.tools });
}

/** The same as an entry of a step's report: none, or one with a line for the person. */
export async function driftReport(context: PrefixContext): Promise<readonly Collected[]> {
  try {
    const drift = await driftOf(context);
    return drift.length === 0 ? [] : [{ kind: 'prefix', outcome: 'off', ms: 0, why: STORED, notes: [lineOf(drift)] }];
  } catch (error) {
    return [{ kind: 'prefix', outcome: 'failed', ms: 0, why: messageOf(error) }];
  }
}

const STORED = 'the stored bytes are sent';
const MOST = 3;

function lineOf(drift: readonly PrefixDrift[]): string {
  const named = drift.slice(0, MOST).map(({ owner, change, byte }) => {
    const where = change === 'changed' ? ` from byte ${byte} on` : '';
    return `${owner.type} ${owner.name} ${change}${where}`;
  });
  const more = drift.length - named.length;
  const list = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `System prompt or tools are not what they were when this session began (${list}): the stored ones are sent; a new session has the new ones.`;
}
