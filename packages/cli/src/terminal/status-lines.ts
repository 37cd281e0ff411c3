/** The strips around the editor: what is going on above it, where the session stands below it. */
import type { Mode } from '@sidenote/agent';
import { clean } from './clean.js';
import type { Theme } from './theme.js';
import { cutLine, visibleWidth } from './view.js';

/** What the agent is doing. Times in milliseconds, tokens as counted or estimated so far. */
export type Working = {
  readonly doing: string;
  readonly elapsedMs: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
};

/** Columns below which the end of a path says nothing. */
const SHORTEST = 10;

const FRAMES = ['·', '✢', '✳', '✢'] as const;

/** `950`, `3.1k`, `1.2M`. */
export function short(count: number): string {
  if (count < 1_000) return String(Math.round(count));
  if (count < 1_000_000) return `${(count / 1_000).toFixed(count < 100_000 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

function time(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, '0')}s`;
}

/** One line while something runs. */
export function workingLine(working: Working, width: number, theme: Theme): string {
  const frame = FRAMES[Math.floor(working.elapsedMs / 250) % FRAMES.length] ?? '·';
  const tokens = working.tokensIn + working.tokensOut > 0 ? ` · ↑ ${short(working.tokensIn)} ↓ ${short(working.tokensOut)} tokens` : '';
  return cutLine(
    `${theme.accent(`${frame} ${clean(working.doing)}`)}${theme.dim(` ${time(working.elapsedMs)}${tokens} · esc to interrupt`)}`,
    width,
  );
}

export type Status = {
  readonly mode: Mode;
  readonly model: string;
  /** Tokens of the last request and its answer; 0 before the first. */
  readonly used: number;
  /** 0 while the session is being opened: then there are no figures. */
  readonly window: number;
  /** Tokens at which a compaction begins; null: it never does by itself. */
  readonly compactsAt: number | null;
  /** US dollars of this session; null when the price is not known. */
  readonly usd: number | null;
  readonly folder: string;
  /** Drawn at the right end where there is room for it. */
  readonly companion?: { readonly name: string; readonly figure: string };
  /** Stands in place of everything else for a moment: `ctrl+c again to exit`. */
  readonly hint?: string;
};

/** What a mode means to the person. */
export const MODE_WORDS: Readonly<Record<Mode, string>> = {
  default: 'asks first',
  acceptEdits: 'edits freely',
  plan: 'plans only',
  auto: 'decides itself',
  dontAsk: 'never asks',
  bypassPermissions: 'asks nothing, does all',
};

/** As much of a path's end as fits; nothing when that is next to nothing. */
function lastPart(path: string, width: number): string {
  if (visibleWidth(path) <= width) return path;
  if (width < SHORTEST) return '';
  let end = path;
  while (visibleWidth(end) >= width) end = end.slice(1);
  return `…${end}`;
}

/** Columns below which there is no room for a figure. */
const ROOMY = 60;

/** Mode, model, share of the window, cost, folder: the first ones stay when the screen is narrow. */
export function statusLine(status: Status, width: number, theme: Theme): string {
  const { companion, ...rest } = status;
  if (companion === undefined || width < ROOMY) return mainLine(rest, width, theme);
  const figure = clean(`${companion.figure} ${companion.name}`);
  const left = mainLine(rest, width - visibleWidth(figure) - 2, theme);
  return `${left}${' '.repeat(width - visibleWidth(left) - visibleWidth(figure))}${theme.accent(figure)}`;
}

function mainLine(status: Omit<Status, 'companion'>, width: number, theme: Theme): string {
  if (status.hint !== undefined) return cutLine(theme.warn(status.hint), width);
  const parts = status.window === 0 ? [clean(status.model)] : figures(status, theme);
  const folder = lastPart(clean(status.folder), width - visibleWidth(parts.join(' · ')) - 3);
  if (folder !== '') parts.push(folder);
  return cutLine(theme.dim(parts.join(' · ')), width);
}

function figures(status: Status, theme: Theme): string[] {
  const share = Math.round((100 * status.used) / status.window);
  const mode = status.mode === 'default' ? MODE_WORDS.default : theme.warn(MODE_WORDS[status.mode]);
  const { compactsAt } = status;
  // Far from it nobody has to know.
  const until = compactsAt === null || share < 50 ? '' : `, compacts at ${Math.round((100 * compactsAt) / status.window)}%`;
  const window = `${share}% of ${short(status.window)}${until}`;
  const usd = status.usd === null ? 'no price' : `$${status.usd.toFixed(2)}`;
  return [mode, clean(status.model), share >= 80 ? theme.warn(window) : window, usd];
}
