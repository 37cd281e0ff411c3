/** The output style of a session: what the person chose in it, else what the setting says; built-in styles and those of files. */
import { builtInStyles, DEFAULT_STYLE } from '@sidenote/agent';
import type { Fold, Ports, Session } from '@sidenote/engine';
import { nearest, outputStyles } from '@sidenote/node';
import { sourcesOf } from './setting-sources.js';
import type { Setup } from './set-up.js';

export type Style = {
  readonly name: string;
  readonly description: string;
  /** For the system prompt; empty for the default style. */
  readonly text: string;
  /** Whether the part of the system prompt about coding stays. */
  readonly keepCoding: boolean;
  /** Absent: built in. */
  readonly file?: string;
};

export type ChosenStyle = { readonly type: 'chosen'; readonly style: Style } | { readonly type: 'unknown'; readonly text: string };

export interface SessionStyles {
  /** Why no style counts in this session; undefined: the chosen one does. */
  readonly off: string | undefined;
  /** The style in force. One that is not there counts as the default one, and the person is told. */
  current(): Promise<Style>;
  /** Those that can be chosen, files before what they stand in front of. */
  list(): Promise<readonly Style[]>;
  /** From the next message on, and whenever this session is resumed. */
  choose(name: string): Promise<ChosenStyle>;
}

const DEFAULT: Style = { name: DEFAULT_STYLE, description: '', text: '', keepCoding: true };

/** Fold: the name that was chosen in this session. */
const chosenFold: Fold<{ name: string | undefined }> = {
  name: 'cli:style',
  scope: 'session',
  on: ['state'],
  initial: () => ({ name: undefined }),
  step: (state, record) =>
    record.type === 'state' && record.key === 'style' && typeof record.value === 'string' ? { name: record.value } : state,
};

export type StylesOptions = {
  readonly setup: Setup;
  /** Undefined until it is open. */
  readonly session: () => Session | undefined;
  /** One line for the person. */
  readonly tell: (line: string) => void;
};

export function sessionStyles({ setup, session, tell }: StylesOptions): SessionStyles {
  const told = new Set<string>();
  const once = (line: string): void => void (told.has(line) || (told.add(line), tell(line)));
  let found: { readonly name: string; readonly style: Promise<Style> } | undefined;
  const list = async (): Promise<readonly Style[]> => {
    const { io, configDir, bare, flags, trusted } = setup;
    const sources = bare ? [] : sourcesOf(flags).filter((source) => source !== 'local');
    const { styles, problems } = await outputStyles({ cwd: io.cwd, home: io.home, configDir, env: io.env, sources, trusted });
    for (const { file, line, message } of problems) once(`${file}:${line}: ${message}`);
    const own = builtInStyles.filter(({ name }) => name === DEFAULT_STYLE || !styles.has(name.toLowerCase()));
    return [...own.map((style) => ({ ...style, keepCoding: true })), ...styles.values()];
  };
  const find = async (name: string): Promise<Style> => {
    const styles = await list();
    const style = named(styles, name);
    if (style === undefined) once(`the output style ${name} counts as the default one: ${unknown(styles, name)}`);
    return style ?? DEFAULT;
  };
  const off = whyOff(setup);
  return {
    off,
    list,
    current() {
      const name = session()?.main.transcript.read(chosenFold).name ?? setup.loaded.settings.outputStyle ?? DEFAULT_STYLE;
      if (off !== undefined || name.toLowerCase() === DEFAULT_STYLE.toLowerCase()) return Promise.resolve(DEFAULT);
      if (found?.name !== name) found = { name, style: find(name) };
      return found.style;
    },
    async choose(name) {
      const styles = await list();
      const style = named(styles, name);
      if (style === undefined) return { type: 'unknown', text: unknown(styles, name) };
      await session()?.set('style', style.name);
      found = { name: style.name, style: Promise.resolve(style) };
      return { type: 'chosen', style };
    },
  };
}

/** What the kind `output_style` reads. */
export function stylePort(setup: Setup, styles: SessionStyles): NonNullable<Ports['outputStyle']> {
  return {
    async read() {
      const set = setup.loaded.settings.outputStyle;
      if (styles.off !== undefined && set !== undefined) return { type: 'unavailable', why: styles.off };
      const { name, text } = await styles.current();
      return { type: 'ready', value: { name, text }, version: name };
    },
  };
}

/** A style belongs to the client's own prompt: where another one stands in its place, there is none, and no word of one. */
function whyOff({ agent, proactive, coordinator, replacePrompt }: Setup): string | undefined {
  if (agent !== undefined) return proactive ? undefined : `the agent ${agent.name} has a prompt of its own, so no output style counts`;
  if (coordinator) return 'a coordinator has a prompt of its own, so no output style counts';
  return replacePrompt === undefined ? undefined : '--system-prompt stands in place of the own prompt, so no output style counts';
}

const named = (styles: readonly Style[], name: string): Style | undefined =>
  styles.findLast((style) => style.name.toLowerCase() === name.trim().toLowerCase());

function unknown(styles: readonly Style[], name: string): string {
  const names = styles.map((style) => style.name);
  const near = nearest(name, names);
  return `there is no output style ${name}${near === undefined ? '' : `; did you mean ${near}?`} (${names.join(', ')})`;
}
