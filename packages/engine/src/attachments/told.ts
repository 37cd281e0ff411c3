/** The fold of a kind as the collector reads it: its own records come decoded, and those that can't be decoded don't count as told. */
import type { Fold } from '../transcript/fold.js';
import type { AnyAttachmentKind } from './contract.js';

const folds = new WeakMap<AnyAttachmentKind, Fold<unknown>>();

/** Made once per kind, since folds are remembered by identity. */
export function toldFold(kind: AnyAttachmentKind): Fold<unknown> {
  const known = folds.get(kind);
  if (known !== undefined) return known;
  const told: Fold<unknown> = kind.told;
  const fold: Fold<unknown> = {
    ...told,
    initial: () => told.initial(),
    step(state, record) {
      if (record.type !== 'attachment' || record.kind !== kind.kind) return told.step(state, record);
      const data = kind.decode(record.data);
      return data === undefined ? state : told.step(state, { ...record, data: data as typeof record.data });
    },
  };
  folds.set(kind, fold);
  return fold;
}
