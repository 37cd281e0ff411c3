/** What of a prompt a person said: other text that goes out with it opens nothing and names nobody. */
import type { PromptInput } from '../contract.js';

export function ownWords({ content, origin = 'human', own }: PromptInput): readonly string[] {
  if (origin !== 'human') return [];
  return own ?? content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}
