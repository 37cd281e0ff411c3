/** Shapes of keys that providers publish: what no file should hold that is sent to a model in every session. */

/** Each is long enough that no word has it by chance. */
const shapes: readonly (readonly [name: string, shape: RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/],
  ['an Anthropic key', /\bsk-ant-[\w-]{20,}/],
  ['an OpenAI key', /\bsk-(?!ant-)(?:proj-)?[A-Za-z0-9_-]{32,}/],
  ['an AWS access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{40,})/],
  ['a GitLab token', /\bglpat-[\w-]{20,}/],
  ['a Slack token', /\bxox[abeoprs]-[\w-]{20,}/],
  ['a Google key', /\bAIza[\w-]{35}\b/],
  ['a Stripe key', /\b[rs]k_live_[A-Za-z0-9]{20,}/],
];

/** What a text seems to hold: `a GitHub token`, each once. The keys themselves are not repeated. Pure. */
export function secretsIn(text: string): readonly string[] {
  return shapes.filter(([, shape]) => shape.test(text)).map(([name]) => name);
}
