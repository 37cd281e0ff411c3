/** Messages as they were placed, before and after they are sealed. */
import type { BlockOwners } from './owners.js';
import type { WireMessage } from './wire.js';

/** A message with the owners of its blocks. */
export type Placed = { readonly message: WireMessage; readonly owners: readonly BlockOwners[] };

/** A message in its final form, with what is known of it. `digest` covers it and all before it; `tokens` counts when first asked. */
export type Sealed = Placed & { readonly tokens: () => number; readonly digest: string };
