/** A request as bars: who takes how much of it, what is new, and what a compaction would free. Plain signs, no colour. */
import { countText, type Analysis, type Part } from '@sidenote/engine';
import { broken } from '../rows.js';

const NAMES: Readonly<Record<Part['type'], string>> = {
  tool: 'tools',
  section: 'system sections',
  attachment: 'injected context',
  summary: 'summary',
  prompt: 'your words',
  answer: 'answers',
  result: 'tool results',
  format: 'JSON around it',
};
const ORDER: readonly Part['type'][] = ['tool', 'section', 'attachment', 'summary', 'prompt', 'answer', 'result', 'format'];
const ROLES: readonly Part['role'][] = ['tools', 'system', 'user', 'assistant'];
/** Owners that are named one by one; a long session has hundreds. */
const MOST_OWNERS = 12;

export const share = (part: number, whole: number): string =>
  whole === 0 ? '0 %' : `${((100 * part) / whole).toFixed(part / whole < 0.1 ? 1 : 0)} %`;

function bar(part: number, whole: number, width: number): string {
  const full = whole === 0 ? 0 : Math.round((width * part) / whole);
  const drawn = part > 0 ? Math.max(1, full) : 0;
  return '█'.repeat(drawn) + '░'.repeat(width - drawn);
}

const sum = (parts: readonly Part[], key: 'characters' | 'tokens' | 'added' | 'freed'): number =>
  parts.reduce((all, part) => all + part[key], 0);

/** One bar per kind of owner, then shares by role, then what a compaction would do. `width`: columns, at least 60. */
export function barLines(analysis: Analysis, width: number): readonly string[] {
  const room = width >= 120 ? 40 : Math.min(20, width - 56);
  const columns = (name: string, numbers: readonly string[]): string =>
    `${name.padEnd(17)}${numbers.map((one) => one.padStart(9)).join('')}`;
  const rows = ORDER.flatMap((type) => {
    const parts = analysis.parts.filter((part) => part.type === type);
    const tokens = sum(parts, 'tokens');
    if (tokens === 0) return [];
    const numbers = [share(tokens, analysis.tokens), countText(tokens), dash(sum(parts, 'added')), dash(sum(parts, 'freed'))];
    return [`  ${bar(tokens, analysis.tokens, room)} ${columns(NAMES[type], numbers)}`];
  });
  return [
    `  ${''.padEnd(room)} ${columns('', ['share', 'tokens', 'new', 'freeable'])}`,
    ...rows,
    `  ${roleShares(analysis)}`,
    ...broken(`  ${outlook(analysis)}`, width, 4),
  ];
}

const dash = (tokens: number): string => (tokens === 0 ? '–' : countText(tokens));

function roleShares({ parts, tokens }: Analysis): string {
  const shares = ROLES.flatMap((role) => {
    const own = sum(
      parts.filter((part) => part.role === role),
      'tokens',
    );
    return own === 0 ? [] : [`${role} ${share(own, tokens)}`];
  });
  return `by role: ${shares.join(', ')}`;
}

function outlook({ added, cached, freed }: Analysis): string {
  return `this turn added ${countText(added)}; ${countText(cached)} are expected from the cache; a compaction would free ${countText(freed)}`;
}

/** The largest owners: sections, tools, kinds of attachment, results by tool. What the agent itself put there is marked. */
export function ownerLines({ parts, tokens }: Analysis): readonly string[] {
  const owners = parts.filter(({ type }) => type !== 'format').toSorted((a, b) => b.tokens - a.tokens);
  const shown = owners.slice(0, MOST_OWNERS).map(({ type, name, count, by, ...part }) => {
    const what = `${SINGULAR[type]} ${name}${count > 1 ? ` ×${count}` : ''}`;
    return `  ${what.padEnd(40)} ${countText(part.tokens).padStart(9)} ${share(part.tokens, tokens).padStart(6)}${by === 'client' ? '  by sidenote' : ''}`;
  });
  const rest = owners.slice(MOST_OWNERS);
  const more = rest.length === 0 ? [] : [`  and ${rest.length} more with ${countText(sum(rest, 'tokens'))} tokens`];
  return ['Largest owners', ...shown, ...more];
}

const SINGULAR: Readonly<Record<Part['type'], string>> = {
  tool: 'tool',
  section: 'section',
  attachment: 'injected',
  summary: 'summary',
  prompt: 'words',
  answer: 'answers',
  result: 'results of',
  format: '',
};
