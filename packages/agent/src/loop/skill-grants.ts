/** What loaded skills allow without a question and what they deny: their own rules until the turn ends, and reading their files. */
import { skillGrantsFold, skillsInWindowFold, type Transcript } from '@sidenote/engine';
import type { Brought } from '../permissions/contract.js';
import { exactly } from '../permissions/path-pattern.js';

/** As permission rules. Read from the transcript, so that nothing has to be taken back. */
export function skillGrants(transcript: Pick<Transcript, 'read'>): Brought {
  const { rules, denies } = transcript.read(skillGrantsFold);
  const { loaded } = transcript.read(skillsInWindowFold);
  const folders = [...loaded.values()].filter(({ folder }) => folder !== '').map(({ folder }) => `Read(${exactly(folder)}/**)`);
  return { allow: [...rules, ...folders], deny: denies };
}
