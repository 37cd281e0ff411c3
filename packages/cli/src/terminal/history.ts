/** What was typed before, kept per folder in the configuration directory, so that the up key finds it in the next session. */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Entries that are loaded. */
const MOST = 200;

export interface History {
  /** Oldest first. */
  load(): Promise<readonly string[]>;
  /** Never fails a session: what can't be stored is remembered by the screen only. */
  add(words: string): Promise<void>;
}

export function fileHistory(options: { readonly configDir: string; readonly cwd: string }): History {
  const path = join(options.configDir, 'history.jsonl');
  return {
    async load() {
      const text = await readFile(path, 'utf8').catch(() => '');
      const words = text.split('\n').flatMap((line) => entry(line, options.cwd));
      return words.filter((one, index) => one !== words[index - 1]).slice(-MOST);
    },
    async add(words) {
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await appendFile(path, `${JSON.stringify({ cwd: options.cwd, words })}\n`, { mode: 0o600 });
      } catch {
        // The folder can't be written to: there is no better place for it.
      }
    },
  };
}

function entry(line: string, cwd: string): string[] {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || !('cwd' in value) || !('words' in value)) return [];
    return value.cwd === cwd && typeof value.words === 'string' ? [value.words] : [];
  } catch {
    return [];
  }
}
