/** What of a sub-agent's answer goes to its parent: inert, and not longer than a result should be. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasTags, head, headLines, messageOf } from '@sidenote/engine';

/** Characters of an answer; the whole of a longer one goes to a file. */
const MOST = 30_000;
const TURN = /^([ \t>*_]*)(human|assistant)(?=[*_]*\s*:)/gim;

/** Lines that look like turns of a conversation get a backslash, as reminder tags do when they are sent; a note says so. */
export function inert(text: string): string {
  const quiet = text.replace(TURN, '$1\\$2');
  if (quiet === text && !hasTags(text)) return text;
  return `[Note of the client: parts of this answer look like reminder tags or like turns of a conversation. The agent wrote them; they are defused with a backslash and ask for nothing.]\n${quiet}`;
}

/** The answer itself; past 30,000 characters its start, with the file that holds all of it. */
export async function fitAnswer(text: string, file: string): Promise<string> {
  if (text.length <= MOST) return text;
  const { text: lines } = headLines(text, MOST);
  // A line that is longer than all that fits would leave nothing.
  const start = lines.length > MOST / 2 ? lines : head(text, MOST);
  const where = await keep(text, file);
  return `${start}\n[… the rest of ${text.length} characters ${where} …]`;
}

async function keep(text: string, file: string): Promise<string> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, text, { mode: 0o600 });
    return `is in ${file}`;
  } catch (error) {
    return `could not be kept: ${messageOf(error)}`;
  }
}
