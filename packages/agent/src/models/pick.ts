/** From the name of a model to an adapter for it, with what the environment says about keys and addresses. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { messageOf, profileOf } from '@sidenote/engine';
import type { ModelAdapter, ModelProfile, Ports } from '@sidenote/engine';
import { anthropicAdapter, anthropicURL } from './anthropic.js';
import { openaiAdapter, openaiURL } from './openai.js';
import { proxyOf, type ProxyChoice } from './proxy.js';
import { readScript } from './script.js';
import type { Script } from './script.js';
import { scriptedAdapter } from './scripted.js';

export type Picked =
  /** `model`: the full name, for the session; picked again by it after a resume. */
  | { readonly type: 'adapter'; readonly model: string; readonly adapter: ModelAdapter }
  /** There is no key for it. `message` says in one line how to set one. */
  | { readonly type: 'no-key'; readonly model: string; readonly message: string }
  | { readonly type: 'unusable'; readonly message: string };

export type PickOptions = {
  /** What `demo` plays. */
  readonly demo?: Script;
  /** Where `script:` files and their commands are looked for. Default: the process's folder. */
  readonly cwd?: string;
  readonly clock?: Pick<Ports['clock'], 'sleep'>;
  /** Facts about models. Default: the built-in table. */
  readonly profile?: (model: string) => ModelProfile;
};

const aliases: Readonly<Record<string, string>> = {
  opus: 'claude-opus-5-5',
  sonnet: 'claude-sonnet-5-5',
  haiku: 'claude-haiku-5-5',
};

/** The model when none is named. */
export const defaultModel = 'claude-opus-5-5';

type Environment = Readonly<Record<string, string | undefined>>;

/** `opus` and the like become full names; without a name `ANTHROPIC_MODEL` counts, then the default. */
export function modelName(name: string | undefined, env: Environment): string {
  const asked = (name ?? '').trim() || (env['ANTHROPIC_MODEL'] ?? '').trim() || defaultModel;
  return Object.hasOwn(aliases, asked) ? (aliases[asked] ?? asked) : asked;
}

/** Whether a name means a script, which may run commands of its own. */
export const isScript = (name: string): boolean => name.trimStart().startsWith('script:');

const set = (value: string | undefined): string | undefined => ((value ?? '').trim() === '' ? undefined : value?.trim());

/** What is wrong with keys and addresses before anything is sent: later errors would quote them, secrets and all. */
function faultIn(env: Environment, names: { readonly keys: readonly string[]; readonly address: string }): string | undefined {
  const key = names.keys.find((name) => /[^\x21-\x7e]/.test(set(env[name]) ?? ''));
  if (key !== undefined) return `${key} holds a space, a line break or a letter that no key can hold: set it again.`;
  const address = set(env[names.address]);
  const isAddress = address === undefined || (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol));
  return isAddress ? undefined : `${names.address} is not an address that begins with http:// or https://: ${address}`;
}

function scripted(script: Script, model: string, options: PickOptions): Picked {
  const { cwd, clock } = options;
  const adapter = scriptedAdapter(script, { model, ...(cwd === undefined ? {} : { cwd }), ...(clock === undefined ? {} : { clock }) });
  return { type: 'adapter', model, adapter };
}

function fromFile(model: string, options: PickOptions): Picked {
  const file = path.resolve(options.cwd ?? '.', model.slice('script:'.length));
  try {
    // Reading a pipe or a device would block the whole process.
    if (!statSync(file).isFile()) return { type: 'unusable', message: `The script ${file} can't be read: it is not a file.` };
    const read = readScript(readFileSync(file, 'utf8'), file);
    return read.type === 'script' ? scripted(read.script, model, options) : read;
  } catch (error) {
    return { type: 'unusable', message: `The script ${file} can't be read: ${whyUnread(error)}` };
  }
}

function whyUnread(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return 'there is no such file.';
  return messageOf(error);
}

const proxied = (way: ProxyChoice): { readonly proxy?: URL } => (way.type === 'proxy' ? { proxy: way.proxy } : {});

/** Names: `claude-…`, `opus`, `sonnet`, `haiku`, `openai:<name>`, `script:<file>`, `demo`. Reads no file but a script. */
export function pickAdapter(name: string | undefined, env: Environment, options: PickOptions = {}): Picked {
  const model = modelName(name, env);
  const { profile = profileOf } = options;
  if (model === 'demo')
    return options.demo === undefined ? { type: 'unusable', message: 'There is no demo here.' } : scripted(options.demo, model, options);
  if (model.startsWith('script:')) return fromFile(model, options);
  if (model.startsWith('openai:')) {
    const [apiKey, baseURL] = [set(env['OPENAI_API_KEY']), set(env['OPENAI_BASE_URL'])];
    const fault = faultIn(env, { keys: ['OPENAI_API_KEY'], address: 'OPENAI_BASE_URL' });
    if (fault !== undefined) return { type: 'unusable', message: fault };
    const short = model.slice('openai:'.length);
    if (short === '') return { type: 'unusable', message: 'Name the model after openai:, as in openai:qwen3.' };
    if (apiKey === undefined && baseURL === undefined) {
      return { type: 'no-key', model, message: 'No key: set OPENAI_API_KEY, or OPENAI_BASE_URL to a server that needs none.' };
    }
    const way = proxyOf(baseURL ?? openaiURL, env);
    if (way.type === 'unusable') return way;
    return { type: 'adapter', model, adapter: openaiAdapter({ profile: profile(model), model: short, apiKey, baseURL, ...proxied(way) }) };
  }
  const [apiKey, authToken, baseURL] = [set(env['ANTHROPIC_API_KEY']), set(env['ANTHROPIC_AUTH_TOKEN']), set(env['ANTHROPIC_BASE_URL'])];
  // Behind an address of one's own a model may have any name.
  if (!/claude/i.test(model) && baseURL === undefined) {
    return {
      type: 'unusable',
      message: `"${model}" is no model that is known here. Use claude-…, ${Object.keys(aliases).join(', ')}, openai:<name>, script:<file> or demo.`,
    };
  }
  const fault = faultIn(env, { keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'], address: 'ANTHROPIC_BASE_URL' });
  if (fault !== undefined) return { type: 'unusable', message: fault };
  if (apiKey === undefined && authToken === undefined)
    return {
      type: 'no-key',
      model,
      message: 'No key: set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), or take a local model: openai:<name> with OPENAI_BASE_URL.',
    };
  const way = proxyOf(baseURL ?? anthropicURL, env);
  if (way.type === 'unusable') return way;
  return { type: 'adapter', model, adapter: anthropicAdapter({ profile: profile(model), apiKey, authToken, baseURL, ...proxied(way) }) };
}
