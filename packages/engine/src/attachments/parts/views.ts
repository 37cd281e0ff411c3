/** Views: what the model has seen of files in this window, folded from the effects of results and attachments. */
import type { Fold } from '../../transcript/fold.js';
import type { Effect, FileView, TranscriptRecord } from '../../transcript/records.js';

/** By path. A file that was told to be gone is not in it. */
export type Views = Map<string, FileView>;

export const viewsFold: Fold<Views> = {
  name: 'views',
  scope: 'window',
  on: ['tool_result', 'attachment'],
  initial: () => new Map(),
  step(views, record) {
    for (const effect of effectsIn(record)) see(views, effect);
    return views;
  },
};

/** The effects of a record that can have any. */
export function effectsIn(record: TranscriptRecord): readonly Effect[] {
  return record.type === 'tool_result' || record.type === 'attachment' ? record.effects : [];
}

/** Files that were read or written in full are known; telling them again would double them. */
export function fullyShown(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) =>
    (effect.type === 'viewed' || effect.type === 'wrote') && effect.view.lines === 'all' ? [effect.view.path] : [],
  );
}

/** Changes `views` as the effect says. Parts of one state of a file add up. */
export function see(views: Views, effect: Effect): void {
  if (effect.type !== 'viewed' && effect.type !== 'wrote') return;
  const { view } = effect;
  if (isGone(view)) return void views.delete(view.path);
  const before = views.get(view.path);
  const same = before !== undefined && before.digest === view.digest && before.form === view.form;
  views.set(view.path, same ? { ...view, lines: joinLines(before.lines, view.lines) } : view);
}

/** The effect of telling that a file is gone: from then on there is nothing to compare. */
export function gone(path: string): Effect {
  return { type: 'viewed', view: { path, digest: '', size: 0, mtimeNs: '0', inode: '0', lines: [], form: 'raw' } };
}

/** True for the view that `gone` makes. */
export function isGone(view: FileView): boolean {
  return view.digest === '';
}

/** Paths of which these effects leave nothing known: gone, or changed by more than was shown. */
export function lostIn(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) => (effect.type === 'viewed' && effect.view.lines.length === 0 ? [effect.view.path] : []));
}

/** True when everything in `lines` has been seen. */
export function covers(seen: FileView['lines'], lines: FileView['lines']): boolean {
  if (seen === 'all') return true;
  if (lines === 'all') return false;
  return lines.every(([first, last]) => seen.some(([from, to]) => from <= first && last <= to));
}

/** The first `count` of these lines. */
export function firstLines(lines: FileView['lines'], count: number): FileView['lines'] {
  let left = count;
  return (lines === 'all' ? [[1, count] as const] : lines).flatMap(([first, last]): readonly (readonly [number, number])[] => {
    const taken = Math.min(last - first + 1, left);
    left -= taken;
    return taken > 0 ? [[first, first + taken - 1]] : [];
  });
}

/** Both together: sorted, and joined where they touch. */
function joinLines(a: FileView['lines'], b: FileView['lines']): FileView['lines'] {
  if (a === 'all' || b === 'all') return 'all';
  const joined: [number, number][] = [];
  for (const [first, last] of [...a, ...b].sort((x, y) => x[0] - y[0])) {
    const before = joined.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}
