/** The offline demo: a real repository, the real loop, real tools; only the model is scripted. Leaves nothing behind. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assemble } from '../assemble/assemble.js';
import { createModels } from '../assemble/models.js';
import { setUp } from '../assemble/set-up.js';
import { contextText } from '../commands/context/text.js';
import { viewOfAudit } from '../commands/context/view.js';
import type { Conversation } from '../conversation.js';
import { parseFlags } from '../flags/parse.js';
import { endingStatus, type Io } from '../io.js';
import { screenClock } from '../terminal/clock.js';
import { PLAIN, themeOf } from '../terminal/theme.js';
import { FILES, OUTSIDE_EDIT, PROMPTS, script } from './scenario.js';
import type { Stage } from './stage.js';

const run = promisify(execFile);

/** On a terminal as a session that plays by itself, else printed as text. */
export async function runDemo(io: Io): Promise<number> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'sidenote-demo-')));
  const folder = join(root, 'greeter');
  const leaving = new AbortController();
  const signal = AbortSignal.any([io.signal, leaving.signal]);
  const theme = io.stdout.isTTY ? themeOf(io.env) : PLAIN;
  const isScreen = io.stdin.isTTY === true && io.stdout.isTTY === true;
  try {
    await makeRepository(folder, join(root, 'home'));
    const stage = isScreen
      ? (await import('./screen-stage.js')).screenStage({ theme, clock: screenClock, cwd: folder, leave: () => leaving.abort('SIGINT') })
      : (await import('./text-stage.js')).textStage({ out: io.stdout, theme, width: 100, cwd: folder });
    try {
      await Promise.race([play({ ...io, signal }, { root, folder, stage }), aborted(signal)]);
    } finally {
      await stage.end();
    }
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 3 });
  }
  return signal.aborted ? endingStatus(signal.reason) : 0;
}

async function play(
  io: Io,
  { root, folder, stage }: { readonly root: string; readonly folder: string; readonly stage: Stage },
): Promise<void> {
  const home = join(root, 'home');
  // Nothing of the person's own: no key, no settings, no instruction files.
  const own: Io = {
    ...io,
    args: [],
    cwd: folder,
    home,
    env: { PATH: io.env['PATH'], HOME: home, LANG: io.env['LANG'], SHELL: io.env['SHELL'] },
  };
  const setup = await setUp(own, parseFlags(['--model', 'demo']));
  const models = createModels(own.env, { demo: script(folder), cwd: folder });
  stage.note('An offline demo: the model is a script; repository, tools, git and everything injected are real.');
  const conversation = await assemble(setup, models, { ask: stage.ask, notice: (line) => stage.note(line) });
  const interrupt = (): void => void conversation.agent.interrupt('the demo was left');
  io.signal.addEventListener('abort', interrupt, { once: true });
  try {
    await say(conversation, stage, PROMPTS[0]);
    stage.note(`Meanwhile someone else edits ${OUTSIDE_EDIT.path}.`);
    const edited = join(folder, OUTSIDE_EDIT.path);
    await writeFile(edited, (await readFile(edited, 'utf8')).replace(OUTSIDE_EDIT.find, OUTSIDE_EDIT.put));
    await say(conversation, stage, PROMPTS[1]);
    await stage.prompt('/context');
    const { model, profile, session } = conversation;
    stage.plain(contextText(viewOfAudit(session.main, { model, profile }), { width: stage.width, cwd: folder }));
    stage.note(
      'That was all of it. For real work set ANTHROPIC_API_KEY, or name a local model: --model openai:<name> with OPENAI_BASE_URL.',
    );
  } finally {
    io.signal.removeEventListener('abort', interrupt);
    await conversation.close();
  }
}

async function say({ agent, session }: Conversation, stage: Stage, words: string): Promise<void> {
  await stage.prompt(words);
  const show = stage.turn(() => session.main.transcript.window);
  for await (const event of agent.run(words)) show(event);
}

async function makeRepository(folder: string, home: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await mkdir(home, { recursive: true });
  for (const [path, text] of Object.entries(FILES)) await writeFile(join(folder, path), text);
  const git = (...args: readonly string[]) =>
    run(
      'git',
      ['-c', 'user.name=Demo', '-c', 'user.email=demo@localhost', '-c', 'commit.gpgsign=false', '-c', 'core.hooksPath=/dev/null', ...args],
      {
        cwd: folder,
      },
    );
  await git('init', '-q', '-b', 'main');
  await git('add', '-A');
  await git('commit', '-q', '-m', 'Greet the world');
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
