/** Which definitions a thread was given: a deferred tool runs only as the model knows it. */
import type { Digest, Effect, Fold, Json, ToolOutcome, ToolSpec } from '@sidenote/engine';
import { digestOf } from '@sidenote/node';
import type { AnyTool } from '../tools/tool.js';
import { inputProblems } from './input-problems.js';

const digests = new WeakMap<ToolSpec, Digest>();

function digestOfSpec(spec: ToolSpec): Digest {
  const digest = digests.get(spec) ?? digestOf(JSON.stringify(spec)).slice(0, 16);
  digests.set(spec, digest);
  return digest;
}

/** Fold: by name, the digest of the definition that the model was last given in this window. */
const definitionsFold: Fold<Map<string, Digest>> = {
  name: 'tool-definitions',
  scope: 'window',
  on: ['prefix', 'tool_result'],
  initial: () => new Map(),
  step(known, record) {
    if (record.type === 'prefix') for (const spec of record.tools) known.set(spec.name, digestOfSpec(spec));
    if (record.type === 'tool_result') for (const effect of record.effects) if (effect.type === 'tools') see(known, effect.value);
    return known;
  },
};

function see(known: Map<string, Digest>, value: Json): void {
  const defined = typeof value === 'object' && value !== null && 'defined' in value ? value.defined : undefined;
  if (!Array.isArray(defined)) return;
  for (const one of defined as readonly Json[]) {
    if (typeof one !== 'object' || one === null || !('name' in one) || !('digest' in one)) continue;
    if (typeof one.name === 'string' && typeof one.digest === 'string') known.set(one.name, one.digest);
  }
}

/** The effect of showing these definitions. */
export function defined(specs: readonly ToolSpec[]): Effect {
  return { type: 'tools', value: { defined: specs.map((spec) => ({ name: spec.name, digest: digestOfSpec(spec) })) } };
}

/** A definition as the model is shown it: one line of JSON. */
export function definitionText({ name, description, input_schema }: ToolSpec): string {
  return JSON.stringify({ name, description, input_schema });
}

/**
 * The tool, run only with inputs that fit its definition, and only if that is the one the model was given. A model that was given
 * none may call it all the same. Whoever is refused is given the definition of now.
 */
export function asDefined(tool: AnyTool): AnyTool {
  const { spec } = tool;
  const refusedFor = (why: string): ToolOutcome => ({
    content: [{ type: 'text', text: `Not run: ${why} Its definition is:\n${definitionText(spec)}` }],
    isError: true,
    effects: [defined([spec])],
  });
  return {
    ...tool,
    async run(input, context) {
      const known = context.transcript.read(definitionsFold).get(spec.name);
      if (known !== undefined && known !== digestOfSpec(spec))
        return refusedFor(`${spec.name} has changed since its definition was shown.`);
      const problems = inputProblems(spec.input_schema, input);
      if (problems.length > 0) return refusedFor(`the input does not fit ${spec.name}: ${problems.join('; ')}.`);
      return tool.run(input, context);
    },
  };
}
