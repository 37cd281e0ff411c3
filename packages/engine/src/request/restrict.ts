/** A model's profile as far as its provider lets it be used in this session. */
import type { Restriction } from '../transcript/records.js';
import type { ModelProfile } from './model.js';

/** What a provider refused once is not sent again: system messages among the messages. Thinking is left out record by record. */
export function restrict(profile: ModelProfile, without: readonly Restriction[] = []): ModelProfile {
  if (!without.includes('system-message')) return profile;
  return { ...profile, deliveries: profile.deliveries.filter((delivery) => delivery !== 'system-message') };
}
