/** Which paths the model has touched, as a part of folds: what lies beside them may matter now. */
import type { Effect, TranscriptRecord } from '../../transcript/records.js';
import { isKind } from '../contract.js';
import { effectsIn } from './views.js';

/** In the order of the first touch. The list grows in place. */
export type Touched = { readonly paths: string[]; readonly seen: Set<string> };

export const nothingTouched = (): Touched => ({ paths: [], seen: new Set() });

/** Adds what a record touched. What was changed by others is no step of the model into a folder. */
export function touch(touched: Touched, record: TranscriptRecord): void {
  if (isKind(record, 'changed_files')) return;
  for (const path of pathsOf(effectsIn(record))) {
    if (touched.seen.has(path)) continue;
    touched.seen.add(path);
    touched.paths.push(path);
  }
}

/** With what the input group has just done. The very same list when that is nothing new. */
export function touchedNow({ paths, seen }: Readonly<Touched>, effects: readonly Effect[]): readonly string[] {
  const fresh = pathsOf(effects).filter((path) => !seen.has(path));
  return fresh.length === 0 ? paths : [...paths, ...fresh];
}

function pathsOf(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) => {
    if (effect.type === 'touched') return [effect.path];
    return effect.type === 'viewed' || effect.type === 'wrote' ? [effect.view.path] : [];
  });
}
