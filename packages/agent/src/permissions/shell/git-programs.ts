/** Programs that a repository's own configuration makes git run, even where git only reads. */
import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import path from 'node:path';

/** Keys that name a program for commands that read: for the state of files, for differences, and to fetch what is missing. */
const KEYS = [
  'core\\.(fsmonitor|sshcommand|gitproxy|askpass)',
  'diff\\.external',
  'diff\\..*\\.(command|textconv)',
  'filter\\..*\\.(clean|smudge|process)',
  'gpg\\.(.*\\.)?program',
  'credential\\.(.*\\.)?helper',
  'remote\\..*\\.(uploadpack|vcs)',
  'protocol\\..*',
];
/** The one hook that a reading command may run: it writes down what it learned of the files. */
const HOOK = 'hooks/post-index-change';
/** Milliseconds. */
const PATIENCE = 2_000;

type Answer = { readonly code: number | string | null; readonly text: string };

/** What git would run in `folder`; null when nothing, or when there is no repository. What the person configured for all of theirs does not count. */
export async function gitPrograms(folder: string): Promise<string | null> {
  const [config, hook] = await Promise.all([
    ask(folder, ['config', '--null', '--show-scope', '--get-regexp', `^(${KEYS.join('|')})$`]),
    ask(folder, ['rev-parse', '--git-path', HOOK]),
  ]);
  if (config.code === null || config.code === 129) return 'something that could not be found out';
  const found = programIn(config.text);
  if (found !== null) return found;
  if (hook.code !== 0) return null;
  return access(path.resolve(folder, hook.text.replace(/\n$/, ''))).then(
    () => `the hook ${path.basename(HOOK)}`,
    () => null,
  );
}

/** `scope NUL key LF value NUL …` */
function programIn(listed: string): string | null {
  const parts = listed.split('\0');
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope, entry = ''] = parts.slice(at, at + 2);
    const [key = '', value = ''] = entry.split('\n', 2);
    const isSwitch = key === 'core.fsmonitor' && /^(|true|false|yes|no|on|off|\d+)$/i.test(value);
    if ((scope === 'local' || scope === 'worktree') && !isSwitch) return key;
  }
  return null;
}

/** `code` is null when git did not end in time, and a word when it could not be started. */
function ask(folder: string, args: readonly string[]): Promise<Answer> {
  return new Promise((resolve) => {
    execFile('git', ['-C', folder, ...args], { timeout: PATIENCE, killSignal: 'SIGKILL' }, (error, text) => {
      resolve({ code: error === null ? 0 : (error.code ?? null), text });
    });
  });
}
