/** Shows one turn as it happens: agent events in, blocks and the working line out. */
import type { AgentEvent } from '@sidenote/agent';
import { inputTokens, type AttachmentRecord, type ChainRecord, type Id } from '@sidenote/engine';
import { endedText } from '../failure-text.js';
import { inside } from '../inside.js';
import { noticesOf } from '../notices.js';
import type { Injection, ToolState } from './blocks.js';
import { callTitle } from './call-title.js';
import { clean } from './clean.js';
import type { ScreenClock } from './clock.js';
import type { Working } from './status-lines.js';
import type { Block, TranscriptView } from './transcript-view.js';

/** Characters per output token while a message grows; the provider's count takes its place at the end. */
const PER_TOKEN = 3.5;

/** Lines of a sub-agent's work that are shown under its call. */
const NESTED = 5;

export interface TurnView {
  event(event: AgentEvent): void;
  readonly working: Working;
  /** Tokens that the last request and its answer took; undefined before an answer. */
  readonly used: number | undefined;
}

export type TurnViewOptions = {
  readonly transcript: TranscriptView;
  readonly clock: ScreenClock;
  /** The window of the conversation, where the texts of injections are looked up. */
  records(): readonly ChainRecord[];
  /** The working directory: paths inside it are shown without it. */
  readonly cwd: string;
  /** Notices that were shown before; grows. */
  readonly said: Set<string>;
};

/** The newest attachment record with this kind and title that was not shown yet. */
export function findInjection(
  records: readonly ChainRecord[],
  wanted: { readonly kind: string; readonly title: string },
  shown: Set<Id>,
): AttachmentRecord | undefined {
  const record = records.findLast(
    (one): one is AttachmentRecord =>
      one.type === 'attachment' && one.kind === wanted.kind && one.title === wanted.title && !shown.has(one.id),
  );
  if (record !== undefined) shown.add(record.id);
  return record;
}

export function injectionOf(title: string, record: AttachmentRecord | undefined): Injection {
  const text = record?.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
  return { title, text };
}

/** What a person need not act on. */
const isNews = (event: AgentEvent): boolean =>
  event.type === 'attachment-reported' ||
  event.type === 'compaction-started' ||
  (event.type === 'compaction-ended' && event.result.outcome === 'summarised');

export function turnView({ transcript, clock, records, said, cwd }: TurnViewOptions): TurnView {
  const started = clock.now();
  const titles = new Map<Id, string>();
  const tools = new Map<Id, { readonly block: Block<ToolState>; progress: string }>();
  const shown = new Set<Id>();
  let doing = 'thinking about it';
  let answer: { readonly block: Block<string>; text: string } | undefined;
  let group: { readonly block: Block<readonly Injection[]>; readonly list: Injection[] } | undefined;
  let counted = { in: 0, out: 0 };
  let growing = 0;
  let used: number | undefined;

  const say = (text: string): void => {
    const words = clean(text);
    if (answer === undefined) answer = { block: transcript.markdown(words), text: words };
    else answer.block.update((answer.text = words));
  };

  const handle = (event: AgentEvent): void => {
    if (event.type !== 'attachment-injected' && event.type !== 'attachment-reported') group = undefined;
    switch (event.type) {
      case 'attachment-injected': {
        const injection = injectionOf(inside(event.title, cwd), findInjection(records(), event, shown));
        if (group === undefined) group = { list: [injection], block: transcript.injections([injection]) };
        else {
          group.list.push(injection);
          group.block.update([...group.list]);
        }
        return;
      }
      case 'request-started':
        doing = 'waiting for the model';
        return;
      case 'response-started':
        answer = undefined;
        growing = 0;
        doing = 'answering';
        counted = { ...counted, in: counted.in + inputTokens(event.usage) };
        return;
      case 'compaction-started':
        doing = 'summarising the conversation';
        break;
      case 'compaction-ended':
        used = event.result.after;
        break;
      case 'thinking-delta':
        doing = 'thinking';
        growing += event.text.length;
        return;
      case 'text-delta':
        doing = 'answering';
        growing += event.text.length;
        say((answer?.text ?? '') + event.text);
        return;
      case 'response-ended': {
        const text = event.message.content
          .flatMap((block) => ('text' in block && block.type === 'text' ? [String(block.text)] : []))
          .join('\n\n');
        if (text.trim() !== '') say(text);
        answer = undefined;
        growing = 0;
        counted = { ...counted, out: counted.out + event.message.usage.output_tokens };
        used = inputTokens(event.message.usage) + event.message.usage.output_tokens;
        return;
      }
      case 'response-dropped': {
        const shown = growing > 0;
        answer = undefined;
        growing = 0;
        if (!shown) return;
        break;
      }
      case 'tool-started':
        doing = `running ${event.call.name}`;
        tools.set(event.call.id, { block: transcript.tool(event.title), progress: '' });
        return;
      case 'tool-progressed': {
        const tool = tools.get(event.call);
        if (tool !== undefined) tool.block.update({ type: 'running', progress: (tool.progress = event.text) });
        return;
      }
      case 'subagent-progressed': {
        const tool = tools.get(event.call);
        const line = nestedLine(event.event);
        if (tool === undefined || line === undefined) break;
        const lines = `${tool.progress}\n${line}`.trim().split('\n');
        tool.block.update({ type: 'running', progress: (tool.progress = lines.slice(-NESTED).join('\n')) });
        return;
      }
      case 'tool-ended': {
        const block = tools.get(event.call.id)?.block ?? transcript.tool(titles.get(event.call.id) ?? callTitle(event.call, cwd));
        block.update({ type: 'ended', outcome: event.outcome });
        return;
      }
      case 'permission-requested':
        titles.set(event.request.call.id, event.request.title);
        return;
      case 'permission-denied':
        // The call's own block says so.
        return;
      case 'turn-ended':
        if (event.result.reason === 'interrupted') transcript.notice('interrupted', 'warning');
        else if (event.result.reason !== 'done')
          transcript.notice(endedText(event.result) || 'the turn ended at its limit of steps', 'error');
        return;
      default:
        break;
    }
    for (const line of noticesOf(event, false).map((words) => inside(words, cwd))) {
      if (said.has(line) && event.type === 'attachment-reported') continue;
      said.add(line);
      transcript.notice(line, isNews(event) ? 'info' : 'warning');
    }
  };

  return {
    event: handle,
    get working() {
      return { doing, elapsedMs: clock.now() - started, tokensIn: counted.in, tokensOut: counted.out + growing / PER_TOKEN };
    },
    get used() {
      return used;
    },
  };
}

/** What an agent does, in one line; undefined for what is not worth one. */
function nestedLine(event: AgentEvent): string | undefined {
  if (event.type === 'subagent-progressed') return nestedLine(event.event);
  if (event.type === 'tool-started') return `● ${event.title}`;
  return event.type === 'permission-denied' ? `${event.call.name}: ${event.why}` : undefined;
}
