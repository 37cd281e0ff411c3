/** A project under git on a real disk, and sessions in it whose model follows a script: what the tests of this folder stand on. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openSession, type MessagesBody, type ModelAdapter, type Session, type SessionOptions } from '@sidenote/engine';
import { FakeClock } from '@sidenote/engine/testing';
import { jsonlStore, localPorts, sessionFile, type LocalPorts } from '@sidenote/node';
import { createAgent } from '../loop/create-agent.js';
import type { Agent } from '../loop/agent.js';
import type { AgentEvent } from '../loop/events.js';
import type { ScriptStep } from '../models/script.js';
import { scriptedAdapter } from '../models/scripted.js';
import type { Permissions } from '../permissions/contract.js';
import { defaultPrompt } from '../prompt/default-prompt.js';
import { createTasks, type Tasks } from '../tasks/tasks.js';
import { defaultTools } from '../tools/default-tools.js';

const MODEL = 'claude-opus-5-5';

export const say = (text: string): ScriptStep => ({ content: [{ type: 'text', text }] });
export const use = (name: string, input: Readonly<Record<string, unknown>>): ScriptStep => ({
  content: [
    { type: 'thinking', thinking: `about ${name}` },
    { type: 'tool_use', name, input },
  ],
});

const everything: Permissions = {
  mode: 'bypassPermissions',
  judge: async () => ({ type: 'allow', why: 'a test' }),
  allow: () => undefined,
};

export type Opened = {
  readonly session: Session;
  readonly agent: Agent;
  /** Bodies as they left, in order. */
  readonly sent: readonly MessagesBody[];
  /** One turn; its events. */
  run(words: string): Promise<readonly AgentEvent[]>;
};

export type OpenOptions = Partial<Pick<SessionOptions, 'resume' | 'fork' | 'kinds'>> & {
  /** Folder below the project to work in. */
  readonly folder?: string;
  readonly ports?: (ports: LocalPorts) => SessionOptions['ports'];
};

export type Project = {
  readonly root: string;
  readonly home: string;
  readonly clock: FakeClock;
  put(file: string, text: string): void;
  read(file: string): string;
  git(...args: readonly string[]): string;
  open(steps: readonly ScriptStep[], options?: OpenOptions): Promise<Opened>;
  /** Lines of a session's file. */
  lines(session: Session): readonly string[];
  close(): Promise<void>;
};

export function makeProject(): Project {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'sidenote-session-')));
  const [root, home] = [join(base, 'project'), join(base, 'home')];
  mkdirSync(root);
  mkdirSync(home);
  const env = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const clock = new FakeClock();
  const configDir = join(home, '.sidenote');
  const running: Tasks[] = [];
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root, env, encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  return {
    root,
    home,
    clock,
    git,
    put(file, text) {
      const path = file.startsWith('/') ? file : join(root, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    },
    read: (file) => readFileSync(join(root, file), 'utf8'),
    async open(steps, { folder = '.', ports: change, ...more } = {}) {
      const cwd = join(root, folder);
      const tasks = createTasks({ folder: join(base, 'tasks') });
      running.push(tasks);
      const tools = defaultTools({ cwd, env, outputDir: join(base, 'output'), tasks, home });
      const local = localPorts({ cwd, home, env, configDir, clock: clock.port() });
      const session = await openSession({
        model: MODEL,
        tools: tools.map(({ spec }) => spec),
        system: ({ model }) => defaultPrompt({ cwd, isRepository: true, platform: 'linux', osVersion: '6', shell: 'bash', model }),
        store: jsonlStore({ cwd: root, configDir }),
        ports: change === undefined ? local : change(local),
        ...more,
      });
      const sent: MessagesBody[] = [];
      const scripted = scriptedAdapter(steps, { model: MODEL, cwd });
      const adapter: ModelAdapter = {
        profile: scripted.profile,
        stream(plan, body, signal) {
          sent.push(body);
          return scripted.stream(plan, body, signal);
        },
      };
      const agent = createAgent({ session, adapter: () => adapter, tools, permissions: everything, clock: clock.port() });
      return {
        session,
        agent,
        sent,
        async run(words) {
          const events: AgentEvent[] = [];
          for await (const event of agent.run(words)) events.push(event);
          return events;
        },
      };
    },
    lines: (session) =>
      readFileSync(sessionFile({ cwd: root, configDir, session: session.id }), 'utf8')
        .trimEnd()
        .split('\n'),
    async close() {
      await Promise.all(running.map((tasks) => tasks.dispose()));
      rmSync(base, { recursive: true, force: true });
    },
  };
}
