/** `-p`: prompts in, answers out, no terminal. Each prompt gets exactly one result, however it ends. */
import { NO_USAGE, type AgentEvent, type CompactionResult, type TurnResult } from '@sidenote/agent';
import type { PromptInput } from '@sidenote/engine';
import { COMMAND_NAMES, runCommand, typedCommand } from '../commands/registry.js';
import { compactionText } from '../compaction-text.js';
import type { Conversation } from '../conversation.js';
import { failureText } from '../failure-text.js';
import { chosen, switched, text, type Flags } from '../flags/parse.js';
import { INPUT_FORMATS, OUTPUT_FORMATS } from '../flags/flag-table.js';
import { inside } from '../inside.js';
import { endingStatus, notice, type Io } from '../io.js';
import { plus } from '../spending.js';
import { steering } from '../steering.js';
import { UsageError } from '../usage-error.js';
import { Inbox } from './inbox.js';
import { noticer } from '../notices.js';
import { onlyText, textBlocks, type PromptLine } from './prompt-line.js';
import { answered, turnEnded, type PromptResult } from './prompt-result.js';
import { promptOf, streamedPrompts, typedPrompt } from './prompts.js';
import { jsonReporter, streamReporter, textReporter, type Reporter, type ReporterOptions } from './reporter.js';
import { agentsUsd, hasMore, together, turnsOf } from './turns.js';

const REPORTERS: Readonly<Record<(typeof OUTPUT_FORMATS)[number], (options: ReporterOptions) => Reporter>> = {
  text: textReporter,
  json: jsonReporter,
  'stream-json': streamReporter,
};
/** Columns of text that a command prints without a terminal. */
const WIDTH = 160;

type Run = {
  readonly io: Io;
  readonly reporter: Reporter;
  readonly inbox: Inbox;
  readonly conversation: Conversation;
  readonly notify: (event: AgentEvent) => void;
  /** One prompt and no stream of them. */
  readonly isSingle: boolean;
  /** US dollars of this process, without agents and asides; null once a price was not known. */
  spent: number | null;
};

/** What the session that is open took beside its turns. */
const beside = ({ agents, asidesUsd }: Conversation): number | null => plus(agentsUsd(agents), asidesUsd);
const total = ({ spent, conversation }: Run): number | null => plus(spent, beside(conversation));

/** @returns The exit status. */
export async function print(io: Io, flags: Flags, open: (notice: (line: string) => void) => Promise<Conversation>): Promise<number> {
  const reporter = REPORTERS[chosen(flags, 'output-format', OUTPUT_FORMATS) ?? 'text']({
    out: io.stdout,
    partial: switched(flags, 'include-partial-messages'),
    replay: switched(flags, 'replay-user-messages'),
    commands: COMMAND_NAMES,
  });
  const streamed = chosen(flags, 'input-format', INPUT_FORMATS) === 'stream-json';
  const source = streamed ? streamedPrompts(io) : [await typedPrompt(io, flags)];
  if (io.signal.aborted) return endingStatus(io.signal.reason);
  let conversation: Conversation;
  try {
    conversation = await open((line) => notice(io, line));
  } catch (error) {
    const why = failureText(error);
    reporter.ended(answered({ text: why, isError: true, totalUsd: 0 }), text(flags, 'session-id') ?? null);
    notice(io, why);
    return UsageError.isInstance(error) ? 2 : 1;
  }
  try {
    for (const note of conversation.session.notes) notice(io, note);
    await reporter.opened(conversation);
    const notify = noticer((line) => notice(io, inside(line, io.cwd)), switched(flags, 'verbose'));
    return await runAll({ io, reporter, inbox: Inbox.of(source), conversation, notify, isSingle: !streamed, spent: 0 });
  } finally {
    await conversation.close();
  }
}

async function runAll(run: Run): Promise<number> {
  let status = 0;
  for (;;) {
    const line = await run.inbox.next(run.io.signal);
    if (line === undefined) break;
    const { result, exit } = await runLine(run, line);
    ended(run, result);
    if (result.isError) status = 1;
    if (exit || line.type === 'bad') break;
  }
  if (hasMore(run.conversation)) {
    const result = await runTurn(run, null);
    if (result !== undefined) ended(run, result);
  }
  for (const line of leftBehind(run.conversation)) notice(run.io, line);
  return run.io.signal.aborted ? endingStatus(run.io.signal.reason) : status;
}

/** What went wrong is said on standard error in every format: whoever reads only the answers would not see it. */
function ended({ io, reporter, conversation }: Run, result: PromptResult): void {
  reporter.ended(result, conversation.session.id);
  if (result.isError) notice(io, result.text);
}

/** Commands of the background end with the run: a server would never let it end. */
function leftBehind({ background }: Conversation): readonly string[] {
  const running = background.list().filter(({ state }) => state === 'running');
  return running.map(
    ({ id, title }) => `${id} (${title.replaceAll(/\s+/g, ' ')}) still ran, and ends with this run; TaskOutput waits for one`,
  );
}

type Ended = { readonly result: PromptResult; readonly exit: boolean };

async function runLine(run: Run, line: PromptLine): Promise<Ended> {
  const said = (words: string, isError: boolean, exit = false): Ended => ({
    result: answered({ text: words, isError, totalUsd: total(run) }),
    exit,
  });
  if (line.type !== 'prompt') return said(`standard input: ${line.type === 'ignored' ? line.kind : line.why}`, true);
  const { content, piped, steered = [] } = line;
  const prompt = promptOf(line);
  for (const words of steered.length > 0 ? content.map((block) => [block]) : [prompt.content]) run.reporter.prompted(words);
  const command = steered.length > 0 ? undefined : typedCommand(onlyText(content) ?? '');
  if (command === undefined) return { result: await runTurn(run, prompt), exit: false };
  const left = beside(run.conversation);
  try {
    const outcome = await runCommand(command, { conversation: run.conversation, width: WIDTH, signal: run.io.signal });
    if (piped !== undefined && outcome.type !== 'prompt')
      notice(run.io, `/${command.name} takes nothing from standard input: it was left out`);
    switch (outcome.type) {
      case 'exit':
        return said('', false, true);
      case 'exchanged':
        run.spent = plus(run.spent, left);
        await run.reporter.opened(run.conversation);
        return said(outcome.text, false);
      case 'prompt':
        return { result: await runTurn(run, { content: [...textBlocks(piped), ...outcome.content], own: outcome.own }), exit: false };
      case 'text':
        return said(outcome.text, false);
      case 'compact':
        return { result: await runCompaction(run, outcome.wishes), exit: false };
      case 'edit':
        return said(`${outcome.path} can be edited in a session on a terminal`, true);
      case 'refused':
        return said(outcome.text, true);
    }
  } catch (error) {
    return said(failureText(error), true);
  }
}

async function runCompaction(run: Run, wishes: string): Promise<PromptResult> {
  const { agent } = run.conversation;
  const interrupt = (): void => void agent.interrupt(`ended by ${String(run.io.signal.reason)}`);
  run.io.signal.addEventListener('abort', interrupt, { once: true });
  let ended: CompactionResult | undefined;
  try {
    for await (const event of agent.compact(wishes)) {
      if (event.type === 'compaction-started' && run.io.signal.aborted) interrupt();
      if (event.type === 'compaction-ended') ended = event.result;
      else run.notify(event);
      run.reporter.event(event);
    }
  } finally {
    run.io.signal.removeEventListener('abort', interrupt);
  }
  if (ended === undefined) return answered({ text: 'the compaction ended without a result', isError: true, totalUsd: total(run) });
  run.spent = plus(run.spent, ended.usd);
  const isError = ['refused', 'failed', 'interrupted'].includes(ended.outcome);
  return { ...answered({ text: compactionText(ended), isError, totalUsd: total(run) }), usage: ended.usage };
}

/** Words that come while it works are steered into the turn; each of them gets a result of its own all the same. */
function runTurn(run: Run, prompt: PromptInput): Promise<PromptResult>;
/** What the background brings; undefined where it was nothing. */
function runTurn(run: Run, prompt: null): Promise<PromptResult | undefined>;
async function runTurn(run: Run, prompt: PromptInput | null): Promise<PromptResult | undefined> {
  const { agent, session } = run.conversation;
  const steer = steering(session.main, { failed: (error) => notice(run.io, failureText(error)) });
  let steered = Math.max(0, (prompt?.steered?.length ?? 0) - 1);
  let answering = false;
  run.inbox.offer((line) => {
    const words = line.type === 'prompt' ? onlyText(line.content) : undefined;
    if (!answering || words === undefined || typedCommand(words) !== undefined) return false;
    steer.add(words);
    return true;
  });
  const interrupt = (): void => void agent.interrupt(`ended by ${String(run.io.signal.reason)}`);
  run.io.signal.addEventListener('abort', interrupt, { once: true });
  const told = (): void => {
    for (const words of steer.delivered()) {
      steered++;
      run.reporter.prompted([{ type: 'text', text: words }]);
    }
  };
  let ended: TurnResult | undefined;
  let failure: string | undefined;
  try {
    for await (const event of turnsOf(run.conversation, { prompt, isLast: prompt === null || run.isSingle, signal: run.io.signal })) {
      if (event.type === 'request-started' && run.io.signal.aborted) interrupt();
      if (event.type === 'response-started') answering = true;
      if (event.type === 'turn-ended') ended = together(ended, event.result);
      run.notify(event);
      run.reporter.event(event);
      told();
    }
  } catch (error) {
    failure = failureText(error);
  } finally {
    run.inbox.offer(undefined);
    told();
    const rest = await steer.rest();
    if (rest !== undefined) run.inbox.putBack([{ type: 'prompt', ...rest }]);
    run.io.signal.removeEventListener('abort', interrupt);
  }
  if (prompt === null && ended === undefined && failure === undefined) return undefined;
  if (ended !== undefined) run.spent = plus(run.spent, ended.usd);
  const result =
    ended === undefined
      ? answered({ text: failure ?? 'the run ended without a result', isError: true, totalUsd: total(run) })
      : turnEnded(ended, total(run));
  const shared: PromptResult = { ...result, usage: NO_USAGE, steps: 0, durationMs: 0, apiMs: 0, denied: [] };
  for (; steered > 0; steered--) run.reporter.ended(shared, run.conversation.session.id);
  return result;
}
