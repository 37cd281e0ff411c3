/** One thread: collect, append, plan; and the states between which an embedder moves it. */
import type { PromptInput } from '../attachments/contract.js';
import type { Content, Id, Json } from '../content/content.js';
import type { PrefixDrift } from '../request/compare.js';
import type { AuditReport } from '../request/plan.js';
import { RequestPlanner, type Planned } from '../request/planner.js';
import { prefixFold } from '../request/sent.js';
import type { WireMessage } from '../request/wire.js';
import type { AssistantMessage, Collected, PrefixRecord } from '../transcript/records.js';
import type { Analysis } from '../window/analyze.js';
import { fullnessOf, type Fullness } from '../window/fullness.js';
import { shrinkTo } from '../window/shrink.js';
import { standingOf, type Standing } from '../window/standing.js';
import { agentsFold, type SpawnedAgent } from './agents.js';
import { callsFold, openCalls, turnFold } from './calls.js';
import { boundaryDrafts, settledPrefix, type Ending } from './compact.js';
import { Cycle } from './cycle.js';
import { hostOf, newestHost, type Host } from './delivery.js';
import { driftOf, driftReport } from './drift.js';
import { answerDraft, promptOf, resultDraft, userDraft } from './drafts.js';
import { dequeued, enqueue, unlessLost } from './enqueue.js';
import { InvalidRequestError, ThreadStateError, UnknownKindError, UnknownRecordError } from './errors.js';
import { Gatherer, type Added, type Gathered } from './gather.js';
import { NewestRequest } from './newest.js';
import { firstMode, nextPrefix, retryPrefix } from './prefix.js';
import { previewRecords } from './preview.js';
import { beginRecall } from './recall.js';
import type { AsideStep, Notice, Retry, Steered, Step, StepOptions, Thread, ToolCall, ToolOutcome } from './session.js';
import type { ThreadOptions } from './thread-options.js';
import type { Draft } from './writer.js';

/** Identity: a thread's place in its cycle. What was told lives in the log alone. */
export class EngineThread implements Thread {
  readonly id: Id;
  readonly #options: ThreadOptions;
  readonly #gatherer: Gatherer;
  readonly #planner: RequestPlanner;
  readonly #newest: NewestRequest;
  readonly #cycle = new Cycle();
  /** Whether the prefix that was read from the store has been compared with what would be rendered now. */
  #compared = false;

  constructor(options: ThreadOptions) {
    const { log, ports, session, profile } = options;
    this.id = options.id;
    this.#options = options;
    this.#gatherer = new Gatherer(options);
    this.#planner = new RequestPlanner({
      log,
      ports,
      profile,
      cache: { mode: session.cache?.mode ?? 'planned', ttl: session.cache?.ttl ?? 'auto' },
    });
    this.#newest = new NewestRequest(options, this.#planner);
  }

  get state(): Thread['state'] {
    return this.#cycle.state;
  }

  get transcript(): Thread['transcript'] {
    return this.#options.log;
  }

  async prompt(input: PromptInput | string, how: StepOptions = {}): Promise<Step> {
    this.#cycle.expect('prompt', 'idle', 'answer the running request with response(), or end the turn with interrupt()');
    const prompt = promptOf(input);
    return this.#cycle.alone('prompt', () => this.#prompt(prompt, how.signal));
  }

  async #prompt(prompt: PromptInput, signal: AbortSignal | undefined): Promise<Step> {
    const { ports, log } = this.#options;
    await this.#mend('The turn ended before this call did; it may have run.');
    const user = userDraft(prompt, ports.ids.next());
    beginRecall(ports, user);
    const prefix = await nextPrefix(this.#options);
    const { turn } = log.read(turnFold);
    const opens = (prompt.origin ?? 'human') === 'human' ? 1 : 0;
    const first = [...(prefix === undefined ? [] : [prefix]), ...firstMode(this.#options, prefix)];
    const drafts: Draft[] = [...first, user, ...dequeued(this.#options, prompt.steered ?? [])];
    const step = this.#step({
      trigger: 'prompt',
      host: { record: user.id, call: undefined, results: new Map() },
      drafts,
      prompts: [prompt],
      prompt: user.id,
      turn: turn + opens,
      step: 0,
      signal,
    });
    return unlessLost(this.#options, step);
  }

  get agent(): SpawnedAgent | null {
    return this.#options.log.read(agentsFold).get(this.id) ?? null;
  }

  notify({ text, trust, wake, task }: Notice): Promise<Id> {
    return enqueue(this.#options, { type: 'notice', text, trust, wake, ...(task === undefined ? {} : { task }) });
  }

  get pending(): readonly Notice[] {
    return this.#options.queue.waiting('notice');
  }

  message({ from, text }: { readonly from: string; readonly text: string }): Promise<Id> {
    return enqueue(this.#options, { type: 'message', from, text });
  }

  get hasMessages(): boolean {
    return this.#options.queue.waiting('message').length > 0;
  }

  async steer(input: PromptInput | string): Promise<Id> {
    const { content } = promptOf(input);
    return enqueue(this.#options, { type: 'steer', content });
  }

  get steered(): readonly Steered[] {
    return this.#options.queue.waiting('steer');
  }

  async withdraw(item: Id): Promise<boolean> {
    // Words that are being collected now are on their way.
    await this.#cycle.rest();
    const removed = dequeued(this.#options, [item]);
    if (removed.length > 0) await unlessLost(this.#options, this.#options.writer.append(removed));
    return removed.length > 0;
  }

  async response(message: AssistantMessage): Promise<readonly ToolCall[]> {
    this.#cycle.expect('response', 'ready', 'ask for a request first, with prompt() or next()');
    const { ports, writer, log } = this.#options;
    await writer.append([answerDraft(message, log.read(prefixFold).value?.model ?? message.model, ports.ids.next())]);
    const { calls } = log.read(callsFold);
    this.#cycle.state = calls.length > 0 ? 'results' : 'idle';
    this.#newest.measure();
    return calls;
  }

  async result(call: Id, result: ToolOutcome | string): Promise<void> {
    this.#cycle.expect('result', 'results', 'there is no call to answer');
    const calls = this.#options.log.read(callsFold);
    if (!openCalls(calls).some((open) => open.id === call))
      throw new ThreadStateError(`result`, `not waiting for call ${call}`, 'it has a result already, or was never made');
    await this.#options.writer.append([resultDraft(call, result, this.#options.ports.ids.next())]);
  }

  async next(how: StepOptions = {}): Promise<Step> {
    this.#cycle.expect('next', 'results', 'give all results first');
    return this.#cycle.alone('next', () => this.#next(how.signal));
  }

  async #next(signal: AbortSignal | undefined): Promise<Step> {
    const { log } = this.#options;
    const calls = log.read(callsFold);
    const open = openCalls(calls);
    if (open.length > 0)
      throw new ThreadStateError(
        'next',
        `waiting for ${open.length} results`,
        `give the results of ${open.map((call) => call.name).join(', ')} first`,
      );
    const prompts = this.steered;
    const about = log.read(turnFold);
    return this.#step({ trigger: 'tool_results', host: hostOf(calls, log.head ?? ''), drafts: [], prompts, ...about, signal });
  }

  async retry(how: Retry): Promise<Step> {
    this.#cycle.expect('retry', 'ready', 'there is no request that could be made anew');
    return this.#cycle.alone('retry', async () => {
      const { log, ports, writer } = this.#options;
      const current = log.read(prefixFold).value;
      if (current === null) throw new ThreadStateError('retry', 'empty', 'there is no prefix');
      const prefix = await retryPrefix(this.#options, current, how);
      // The model that stepped in stays until someone sets another one.
      const chosen: Draft[] = how.cause === 'fallback' ? [{ id: ports.ids.next(), type: 'state', key: 'model', value: how.model }] : [];
      await writer.append([prefix, ...chosen]);
      return this.#request({ rendered: [], report: prefix.absent ?? [] });
    });
  }

  attach(kind: string, data: Json, call?: Id): void {
    const known = this.#options.kinds.find((one) => one.kind === kind);
    if (known === undefined) throw new UnknownKindError(kind);
    this.#gatherer.push({ kind: known, data, call });
  }

  async interrupt(why: string, { begun = true }: { readonly begun?: boolean } = {}): Promise<void> {
    this.#cycle.expectRest('interrupt');
    try {
      await this.#mend(begun ? `Interrupted: ${why}. It may have run in part.` : `Not run: ${why}.`);
    } finally {
      // Where the store fails the next prompt mends.
      this.#cycle.state = 'idle';
    }
  }

  async aside(words: string, purpose: 'summary' | 'side', { part }: { readonly part?: number } = {}): Promise<AsideStep> {
    const { log, ports, writer } = this.#options;
    const prefix = settledPrefix(log, 'aside');
    const shrunk = part === undefined ? undefined : shrinkTo(log.window, { part, tokens: ports.tokens });
    const message: WireMessage = { role: 'user', content: [{ type: 'text', text: words }] };
    const planned = this.#planner.aside(prefix, { purpose, words: message, copy: shrunk?.records });
    await writer.append([{ ...planned.record, collected: [] }], 'power');
    return { request: planned.request, plan: planned.plan, ...(shrunk === undefined ? {} : { leftOut: shrunk.leftOut }) };
  }

  async compact(...[summary, keepFrom, trigger = 'manual', how = {}]: Parameters<Thread['compact']>): Promise<Step> {
    this.#cycle.expectRest('compact');
    const by = how.writtenBy === undefined ? {} : { summary: how.writtenBy };
    return this.#cycle.alone('compact', () => this.#compact(summary, { keepFrom, trigger, ...by }));
  }

  async #compact(summary: readonly Content[], how: Omit<Ending, 'preTokens'>): Promise<Step> {
    const { log, writer } = this.#options;
    const prefix = settledPrefix(log, 'compact');
    const { boundary, user } = boundaryDrafts(this.#options, summary, { ...how, preTokens: this.fullness.tokens });
    // Words that came meanwhile go out with this message, as they would have with the next one.
    const prompts = this.#cycle.state === 'results' ? this.steered : [];
    await writer.append([boundary, user], 'power');
    if (this.#cycle.state === 'idle') return this.#asStep(this.#planner.preview(prefix, []), { rendered: [], report: [] });
    return this.#step({
      trigger: 'compaction',
      host: { record: user.id, call: undefined, results: new Map() },
      newest: newestHost(log.window, log.read(callsFold)),
      drafts: [],
      prompts,
      ...log.read(turnFold),
    });
  }

  async rewind(to: Id): Promise<void> {
    this.#cycle.expect('rewind', 'idle', 'end the turn with interrupt() first');
    const { log, ports, writer } = this.#options;
    if (!log.isOnChain(to)) throw new UnknownRecordError(to, 'chain');
    await this.#options.refill(to);
    await writer.append([{ id: ports.ids.next(), type: 'state', key: 'head', value: to }]);
  }

  async preview(input: PromptInput | string): Promise<Step> {
    const { log, ports } = this.#options;
    const prompt = promptOf(input);
    const user = userDraft(prompt, ports.ids.next());
    beginRecall(ports, user);
    const fresh = await nextPrefix(this.#options);
    const { turn } = log.read(turnFold);
    const host: Host = { record: user.id, call: undefined, results: new Map() };
    const drafts: Draft[] = fresh === undefined ? [user] : [fresh, user];
    const added: Added = { trigger: 'prompt', host, drafts, prompts: [prompt], prompt: user.id, turn: turn + 1, step: 0 };
    const [gathered, drift] = await Promise.all([this.#gatherer.gather(added), this.#drift(drafts)]);
    const report = [...drift, ...gathered.report];
    const records = previewRecords([...drafts, ...gathered.attachments], log.head, this.id);
    const prefix = records.find((record): record is PrefixRecord => record.type === 'prefix') ?? log.read(prefixFold).value;
    if (prefix === null) throw new ThreadStateError('preview', 'empty', 'there is no prefix');
    const planned = this.#planner.preview(prefix, records);
    this.#newest.is({ planned, report, records });
    return this.#asStep(planned, { ...gathered, report });
  }

  tokens(content: readonly Content[]): number {
    return this.#options.ports.tokens(content);
  }

  get fullness(): Fullness {
    return fullnessOf(this.#options.log, this.#options.ports.tokens);
  }

  get standing(): readonly Standing[] {
    const { log, kinds, ports } = this.#options;
    return standingOf({ transcript: log, kinds, tokens: ports.tokens });
  }

  drift(): Promise<readonly PrefixDrift[]> {
    return driftOf(this.#options);
  }

  get audit(): AuditReport {
    return this.#newest.audit;
  }

  get analysis(): Analysis | null {
    return this.#newest.analysis;
  }

  async #step(added: Added): Promise<Step> {
    const [gathered, drift] = await Promise.all([this.#gatherer.gather(added), this.#drift(added.drafts)]);
    this.#compared = true;
    const drafts = [...added.drafts, ...gathered.attachments];
    if (drafts.length > 0) await this.#options.writer.append(drafts);
    // What was pushed meanwhile waits for the next message.
    this.#gatherer.delivered(gathered.pushed);
    const failed = await this.#gatherer.appended(gathered.rendered);
    return this.#request({ ...gathered, report: [...drift, ...gathered.report, ...failed, ...this.#newest.takeFaults()] });
  }

  /** Once, for a prefix that comes from the store. */
  async #drift(drafts: readonly Draft[]): Promise<readonly Collected[]> {
    const isNew = drafts.some(({ type }) => type === 'prefix');
    return this.#compared || isNew || !this.#options.isMain ? [] : driftReport(this.#options);
  }

  /** Plans what is on the chain now, and stores that it was asked for. */
  async #request(gathered: Pick<Gathered, 'rendered' | 'report'>): Promise<Step> {
    const { log, writer } = this.#options;
    const prefix = log.read(prefixFold).value;
    if (prefix === null) throw new ThreadStateError('plan', 'empty', 'there is no prefix');
    const planned = this.#planner.plan(prefix);
    if (planned.problems.length > 0) throw new InvalidRequestError(planned.problems);
    await writer.append([{ ...planned.record, collected: gathered.report.filter(({ outcome }) => outcome !== 'nothing') }], 'power');
    this.#cycle.state = 'ready';
    this.#newest.is({ planned, report: gathered.report, records: [] });
    return this.#asStep(planned, gathered);
  }

  /** Calls without a result get an error result: mended by appending. */
  async #mend(why: string): Promise<void> {
    const { log, ports, writer } = this.#options;
    const open = openCalls(log.read(callsFold));
    if (open.length > 0)
      await writer.append(
        open.map((call) => resultDraft(call.id, { content: [{ type: 'text', text: why }], isError: true }, ports.ids.next())),
      );
  }

  #asStep({ request, plan }: Planned, { rendered, report }: Pick<Gathered, 'rendered' | 'report'>): Step {
    return {
      request,
      plan,
      injected: rendered.map(({ kind, title }) => ({ kind: kind.kind, title })),
      report,
    };
  }
}
