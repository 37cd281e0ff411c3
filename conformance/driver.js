/** How an agent is started, and by which tools of its own the model does a step. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @import { Call } from './model.js' */

/**
 * A file in `drivers/`. In `command` and `env`, `{prompt}`, `{url}` (of the endpoint), `{root}`, `{home}` and `{kit}`
 * (this folder) are filled in; in `tools`, what the step says: `{file}` (absolute), `{pattern}`, `{text}`, `{old}`,
 * `{new}`, `{command}`.
 * @typedef {object} Driver
 * @property {string} name
 * @property {readonly string[]} command
 * @property {Readonly<Record<string, string>>} env
 * @property {Readonly<Record<string, { name: string, input: Readonly<Record<string, string>> }>>} tools By kind of step.
 */

/** @param {string} path @returns {Driver} */
export const readDriver = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** @param {string} text @param {Readonly<Record<string, string>>} values */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

/** The call that does a step; undefined when the agent has no tool for it. @param {Driver} driver @param {Readonly<Record<string, string>>} step @param {string} root @returns {Call | undefined} */
export function callOf({ tools }, step, root) {
  const kind = Object.keys(step).find((key) => key in tools);
  const tool = kind === undefined ? undefined : tools[kind];
  if (kind === undefined || tool === undefined) return undefined;
  const value = step[kind] ?? '';
  const values = { ...step, pattern: value, command: value, file: join(root, step['path'] ?? value) };
  return { name: tool.name, input: Object.fromEntries(Object.entries(tool.input).map(([key, text]) => [key, fill(text, values)])) };
}
