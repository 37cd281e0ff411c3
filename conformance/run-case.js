/** Plays one case with one agent, and says what does not hold. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { callOf, fill } from './driver.js';
import { startModel } from './model.js';
import { makeWorld, plainEnv } from './world.js';

/** @import { Case, Expected } from './case.js' */
/** @import { Driver } from './driver.js' */
/** @import { Body } from './model.js' */

/** Milliseconds that an agent may take. */
const patience = 60_000;

/**
 * @param {Case} one @param {Driver} driver
 * @returns {Promise<{ type: 'passed' } | { type: 'skipped', why: string } | { type: 'failed', problems: readonly string[] }>}
 */
export async function runCase(one, driver) {
  const { root, home, remove } = makeWorld(one);
  const calls = (one.steps ?? []).map((step) => callOf(driver, step, root));
  const known = calls.filter((call) => call !== undefined);
  const model = await startModel(known);
  try {
    if (known.length < calls.length) return { type: 'skipped', why: `${driver.name} has no tool for a step of this case` };
    const values = { root, home, url: model.url, prompt: one.prompt ?? 'Go on.', kit: import.meta.dirname };
    const env = { ...plainEnv(home), ...filled(driver.env, values), ...filled(one.env ?? {}, values) };
    const [program = '', ...args] = driver.command.map((part) => fill(part, values));
    const { said, late } = await run(program, args, { cwd: join(root, one.cwd ?? 'project'), env });
    const problems = late ? [`it did not end within ${patience / 1000} s`] : problemsOf(one, { requests: model.requests, said });
    return problems.length === 0 ? { type: 'passed' } : { type: 'failed', problems };
  } finally {
    await model.close();
    remove();
  }
}

/** @param {Readonly<Record<string, string>>} texts @param {Readonly<Record<string, string>>} values */
const filled = (texts, values) => Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(text, values)]));

/**
 * @param {string} program @param {readonly string[]} args @param {{ cwd: string, env: Record<string, string> }} how
 * @returns {Promise<{ said: string, late: boolean }>}
 */
function run(program, args, how) {
  const child = spawn(program, args, { ...how, stdio: ['ignore', 'ignore', 'pipe'], timeout: patience, killSignal: 'SIGKILL' });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (_code, signal) => resolve({ said, late: signal === 'SIGKILL' }));
  });
}

/** @param {Case} one @param {{ requests: readonly Body[], said: string }} came @returns {readonly string[]} */
function problemsOf({ steps = [], expect }, { requests, said }) {
  const wanted = steps.length + 1;
  if (requests.length !== wanted) return [`${requests.length} requests came, not ${wanted}: ${said.trim().slice(0, 500)}`];
  return [
    ...unmet('at the start', expect.start, textOf(requests[0])),
    ...unmet('at the end', expect.end, textOf(requests.at(-1))),
    ...(expect.said ?? []).filter((words) => !said.includes(words)).map((words) => `standard error does not name ${words}`),
    ...(expect.unsaid ?? []).filter((words) => said.includes(words)).map((words) => `standard error names ${words}`),
  ];
}

/** @param {string} when @param {Expected | undefined} expected @param {string} text @returns {readonly string[]} */
function unmet(when, expected, text) {
  if (expected === undefined) return [];
  const { once = [], never = [], times = {}, order = [] } = expected;
  const counts = [...once.map((marker) => [marker, 1]), ...never.map((marker) => [marker, 0]), ...Object.entries(times)];
  const wrong = counts.flatMap(([marker, count]) => {
    const found = text.split(String(marker)).length - 1;
    return found === count ? [] : [`${when}: ${marker} stands there ${found} times, not ${count}`];
  });
  const places = order.map((marker) => text.indexOf(marker));
  const inOrder = places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1));
  return inOrder ? wrong : [...wrong, `${when}: not in the order ${order.join(', ')}`];
}

/** What the model is told, its own answers left out. @param {Body | undefined} body @returns {string} */
function textOf(body) {
  const messages = Array.isArray(body?.messages) ? body.messages : [];
  return [body?.system, ...messages.filter(({ role }) => role !== 'assistant').map(({ content }) => content)].map(wordsIn).join('\n');
}

/** @param {any} content @returns {string} */
function wordsIn(content) {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(wordsIn).join('\n');
  return wordsIn(content?.text ?? content?.content ?? '');
}
