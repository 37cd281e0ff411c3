/** Reads standard input: the whole of it beside a prompt, or line by line as a stream of prompts. */
import { StringDecoder } from 'node:string_decoder';
import type { Io } from '../io.js';
import { UsageError } from '../usage-error.js';

/** Bytes that are read beside a prompt. */
const LIMIT = 10 * 1024 * 1024;
/** Bytes of one line of a stream: a request with more is refused by every provider. */
const LINE_LIMIT = 32 * 1024 * 1024;
/** Milliseconds that a pipe may stay silent when there is a prompt already. */
const PATIENCE = 3_000;

export type Piped = { readonly type: 'text'; readonly text: string } | { readonly type: 'silent' };

/**
 * What was piped in. With `patient: false` a pipe that says nothing for three seconds is given up (`silent`):
 * many programs leave an inherited pipe open for ever.
 * @throws {UsageError} past 10 MB.
 */
export async function readPiped(io: Pick<Io, 'stdin' | 'signal'>, options: { readonly patient: boolean }): Promise<Piped> {
  if (io.stdin.isTTY) return { type: 'text', text: '' };
  const decoder = new StringDecoder('utf8');
  const reading = io.stdin[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<'silent'>((resolve) => {
    if (!options.patient) timer = setTimeout(() => resolve('silent'), PATIENCE);
  });
  const ended = aborted(io.signal);
  let text = '';
  for (;;) {
    const next = await Promise.race([reading.next(), silence, ended]);
    clearTimeout(timer);
    if (next === 'silent') return { type: 'silent' };
    if (next === 'aborted' || next.done) return { type: 'text', text: withoutMark(text + decoder.end()) };
    text += typeof next.value === 'string' ? next.value : decoder.write(next.value);
    if (text.length > LIMIT) throw new UsageError('standard input holds more than 10 MB: put it into a file and name the file');
  }
}

/**
 * Lines without their ends; a last one without a line break counts too. Empty lines are left out.
 * @throws {UsageError} for a line past 32 MB.
 */
export async function* readLines(io: Pick<Io, 'stdin'>): AsyncGenerator<string, void, void> {
  const decoder = new StringDecoder('utf8');
  let open: string[] = [];
  let length = 0;
  let isFirst = true;
  /** Takes the open line; undefined when there is nothing in it. */
  const take = (end: string): string | undefined => {
    const whole = [...open, end].join('');
    const line = isFirst ? withoutMark(whole) : whole;
    open = [];
    length = 0;
    isFirst = false;
    return line.trim() === '' ? undefined : line;
  };
  for await (const chunk of io.stdin) {
    const lines = (typeof chunk === 'string' ? chunk : decoder.write(chunk)).split('\n');
    // Only what is new is looked at: a long line comes in many chunks.
    const rest = lines.pop() ?? '';
    for (const end of lines) {
      const line = take(end);
      if (line !== undefined) yield line;
    }
    open.push(rest);
    length += rest.length;
    if (length > LINE_LIMIT) throw new UsageError('a line holds more than 32 MB');
  }
  const last = take(decoder.end());
  if (last !== undefined) yield last;
}

/** Some shells put a byte order mark before what they pipe. */
function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}

function aborted(signal: AbortSignal): Promise<'aborted'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('aborted');
    else signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });
}
