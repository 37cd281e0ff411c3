/** What a person should know of a run beside its answer: one line each on standard error, the same line only once. */
import type { AgentEvent } from '@sidenote/agent';
import type { Collected } from '@sidenote/engine';
import { compactionText, startedText } from './compaction-text.js';

/** Outcomes that a person is told of without asking. What is off is said with `verbose`. */
const TOLD: readonly Collected['outcome'][] = ['unavailable', 'late', 'failed', 'cut'];

/** `name: outcome (why)`. */
export function reportLine({ kind, outcome, why }: Collected): string {
  return `${kind.replaceAll('_', ' ')}: ${outcome}${why === undefined ? '' : ` (${why})`}`;
}

/** The lines for an event. `verbose` adds what was injected, what is off, and what runs. */
export function noticesOf(event: AgentEvent, verbose: boolean): readonly string[] {
  if (event.type !== 'attachment-reported') {
    const line = noticeOf(event, verbose);
    return line === undefined ? [] : [line];
  }
  const { outcome, notes = [] } = event.collected;
  return TOLD.includes(outcome) || (verbose && outcome === 'off') ? [reportLine(event.collected), ...notes] : notes;
}

function noticeOf(event: AgentEvent, verbose: boolean): string | undefined {
  switch (event.type) {
    case 'retry-scheduled':
      return `${event.why.replace(/\.$/, '')}: trying again in ${Math.max(1, Math.round(event.afterMs / 1000))} s (attempt ${event.attempt})`;
    case 'request-remade':
      return event.text;
    case 'response-dropped':
      return `part of an answer was dropped: ${event.why}`;
    case 'permission-denied':
      return `${event.call.name}: ${event.why}${allowedBy(event.rules)}`;
    case 'compaction-started':
      return startedText(event);
    case 'compaction-ended':
      return compactionText(event.result);
    case 'subagent-progressed':
      return nested(event, verbose);
    case 'notice':
      return event.level === 'warning' || verbose ? event.text : undefined;
    case 'attachment-injected':
      return verbose ? `◇ ${event.title}` : undefined;
    case 'tool-started':
      return verbose ? `● ${event.title}` : undefined;
    default:
      return undefined;
  }
}

/** The flag that lets such a call run in the next run, as a shell takes it. */
function allowedBy(rules: readonly string[] = []): string {
  const words = rules.map((rule) => `'${rule.replaceAll("'", String.raw`'\''`)}'`);
  return words.length === 0 ? '' : ` --allowedTools ${words.join(' ')} allows it.`;
}

const REPEATING: readonly AgentEvent['type'][] = [
  'attachment-injected',
  'tool-started',
  'retry-scheduled',
  'compaction-started',
  'compaction-ended',
];

/** Of an agent: what it does with `verbose`, and what went wrong. */
function nested({ agent, event }: Extract<AgentEvent, { type: 'subagent-progressed' }>, verbose: boolean): string | undefined {
  if (event.type === 'attachment-injected') return undefined;
  const line = noticeOf(event, verbose);
  return line === undefined ? undefined : `${agent}: ${line}`;
}

/** Writes each line once; what is injected and run may repeat. */
export function noticer(write: (line: string) => void, verbose: boolean): (event: AgentEvent) => void {
  const said = new Set<string>();
  return (event) => {
    const repeats = event.type !== 'attachment-reported' && REPEATING.includes(event.type);
    for (const line of noticesOf(event, verbose)) {
      if (!repeats && said.has(line)) continue;
      said.add(line);
      write(line);
    }
  };
}
