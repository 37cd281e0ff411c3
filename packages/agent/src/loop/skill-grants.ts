/** What loaded skills allow without a question: their own rules until the turn ends, and reading their files. */
import { skillGrantsFold, skillsInWindowFold, type Transcript } from '@sidenote/engine';
import { exactly } from '../permissions/path-pattern.js';

/** As permission rules. Read from the transcript, so that nothing has to be taken back. */
export function skillGrants(transcript: Pick<Transcript, 'read'>): readonly string[] {
  const { rules } = transcript.read(skillGrantsFold);
  const { loaded } = transcript.read(skillsInWindowFold);
  if (loaded.size === 0) return rules;
  return [...rules, ...[...loaded.values()].filter(({ folder }) => folder !== '').map(({ folder }) => `Read(${exactly(folder)}/**)`)];
}
