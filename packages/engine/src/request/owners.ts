/** Who put which characters into a block: kept beside each placed message, so that no request has to be searched for it later. */
import type { Owner } from './plan.js';

/** A run of characters of one leaf string. */
export type Segment = { readonly owner: Owner; readonly length: number };

/** One owner for the whole block, or for each leaf string in JSON order the runs that it is made of. */
export type BlockOwners = Owner | readonly (readonly Segment[])[];

export const whole = (text: string, owner: Owner): readonly Segment[] => [{ owner, length: text.length }];

export const isOneOwner = (owners: BlockOwners): owners is Owner => !Array.isArray(owners);
