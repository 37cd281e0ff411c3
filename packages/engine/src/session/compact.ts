/** Where a kept tail may begin: never between a call and its result, never behind the words that an attachment came with. */
import type { Id } from '../content/content.js';
import type { ChainRecord } from '../transcript/records.js';
import { UnknownRecordError } from './errors.js';

/** The record asked for, or the nearest earlier one at which a message begins. */
export function keptFrom(window: readonly ChainRecord[], from: Id | null): Id | null {
  if (from === null) return null;
  const at = window.findIndex((record) => record.id === from);
  if (at < 0) throw new UnknownRecordError(from, 'window');
  for (let index = at; index >= 0; index--) {
    const record = window[index];
    if (record?.type === 'assistant' || (record?.type === 'user' && record.origin !== 'summary')) return record.id;
  }
  return null;
}
