/** The laws, checked on requests as they leave. Any test that looks at its steps through this is a law test. */
import type { Id } from '../content/content.js';
import { profileOf } from '../request/profiles.js';
import { leavesOf } from '../request/owned.js';
import { validateBody } from '../request/validate.js';
import type { MessagesBody } from '../request/wire.js';
import type { Step, Thread } from '../session/session.js';
import type { Place } from '../transcript/records.js';

/** A law that a request breaks. */
export class LawError extends Error {
  override readonly name = 'LawError';
  constructor(
    readonly law: 'append-only' | 'one-door' | 'valid' | 'frozen',
    what: string,
  ) {
    super(`${law}: ${what}`);
  }
}

/** Identity: the requests that were seen, by id. */
export class LawChecker {
  readonly #sent = new Map<Id, MessagesBody>();

  /** Throws `LawError`; gives the step back, so that it can stand around a call. */
  check(step: Step, thread: Thread): Step {
    const { request, plan } = step;
    const problem = validateBody(request, profileOf(request.model))[0];
    if (problem !== undefined) throw new LawError('valid', `${problem.path}: ${problem.message}`);
    this.#appendOnly(step);
    if (
      !Object.isFrozen(request) ||
      !Object.isFrozen(request.messages) ||
      request.messages.some((message) => !Object.isFrozen(message.content))
    )
      throw new LawError('frozen', 'a request can be changed after it was planned');
    oneDoor(request, thread);
    this.#sent.set(plan.id, request);
    return step;
  }

  #appendOnly({ request, plan }: Step): void {
    if (plan.moved !== null)
      throw new LawError(
        'append-only',
        `the prefix moved at ${JSON.stringify(plan.moved.at)} (${plan.moved.owner}): ${plan.moved.before} -> ${plan.moved.after}`,
      );
    if (plan.ancestor === null) return;
    const ancestor = this.#sent.get(plan.ancestor);
    if (ancestor === undefined) return;
    const parts: readonly (keyof MessagesBody)[] = ['model', 'tools', 'system', 'thinking', 'output_config'];
    for (const part of parts)
      if (bare(ancestor[part]) !== bare(request[part])) throw new LawError('append-only', `${part} differs from the ancestor's`);
    if (plan.sealed !== ancestor.messages.length)
      throw new LawError('append-only', `${plan.sealed} messages are sealed, the ancestor sent ${ancestor.messages.length}`);
    ancestor.messages.forEach((message, index) => {
      if (bare(message) !== bare(request.messages[index])) throw new LawError('append-only', `message ${index} is not what was sent`);
    });
  }
}

/** JSON without marks. */
export function bare(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner)) ?? 'undefined';
}

/** The audit is an equation, and every leaf string belongs to exactly one owner. */
function oneDoor(request: MessagesBody, thread: Thread): void {
  const { entries, envelope, characters } = thread.audit;
  const owned = entries.reduce((sum, entry) => sum + entry.to - entry.from, 0);
  if (characters !== JSON.stringify(request).length || characters !== envelope + owned)
    throw new LawError('one-door', `${characters} characters are not ${envelope} + ${owned}`);
  const runs = new Map<string, { from: number; to: number }[]>();
  for (const entry of entries) runs.set(keyOf(entry.at), [...(runs.get(keyOf(entry.at)) ?? []), entry]);
  for (const { at, block } of blocksOf(request)) {
    const covered = (runs.get(keyOf(at)) ?? []).toSorted((a, b) => a.from - b.from);
    for (const leaf of leavesOf(block)) {
      let reached = leaf.from;
      for (const run of covered.filter(({ from, to }) => from >= leaf.from && to <= leaf.to)) {
        if (run.from !== reached)
          throw new LawError(
            'one-door',
            `characters ${reached} to ${run.from} of ${keyOf(at)} belong to ${run.from > reached ? 'no one' : 'two owners'}`,
          );
        reached = run.to;
      }
      if (reached !== leaf.to) throw new LawError('one-door', `characters ${reached} to ${leaf.to} of ${keyOf(at)} belong to no one`);
    }
  }
}

const keyOf = ({ section, message, block }: Place): string => `${section} ${message}.${block}`;

function blocksOf(body: MessagesBody): readonly { at: Place; block: object }[] {
  return [
    ...body.tools.map((block, index) => ({ at: { section: 'tools' as const, message: 0, block: index }, block })),
    ...body.system.map((block, index) => ({ at: { section: 'system' as const, message: 0, block: index }, block })),
    ...body.messages.flatMap((message, at) =>
      message.content.map((block, index) => ({ at: { section: 'messages' as const, message: at, block: index }, block })),
    ),
  ];
}
