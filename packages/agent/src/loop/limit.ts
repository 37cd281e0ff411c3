/** What a session may take in all: asked before anything more is spent, by the main thread and by sub-agents alike. */
import type { TurnResult } from './events.js';

/** A limit that is reached, and what to say of it. */
export type Reached = { readonly reason: Extract<TurnResult['reason'], 'max-budget-usd' | 'max-budget-tokens'>; readonly text: string };

/** Undefined while more may be spent. */
export type SpendingLimit = () => Promise<Reached | undefined>;
