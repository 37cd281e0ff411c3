/** Where the prompts of print mode come from: the command line, standard input, or both. */
import { wireMedia, type Content, type PromptInput } from '@sidenote/engine';
import { firstWords, type Flags } from '../flags/parse.js';
import { notice, type Io } from '../io.js';
import { UsageError } from '../usage-error.js';
import { onlyText, readPromptLine, textBlocks, type PromptLine } from './prompt-line.js';
import { readLines, readPiped } from './standard-input.js';

/** One for each line of standard input that is one. */
export async function* streamedPrompts(io: Io): AsyncGenerator<PromptLine, void, void> {
  for await (const line of readLines(io)) {
    const prompt = readPromptLine(line);
    if (prompt.type === 'ignored') notice(io, `standard input: lines of the type ${prompt.kind} have no effect here`);
    else {
      if (prompt.type === 'prompt') prompt.content.forEach((block, index) => warnOfMedia(io, block, index));
      yield prompt;
    }
  }
}

/** The prompt is asked all the same: the model reads that something was left out. */
function warnOfMedia(io: Io, block: Content, index: number): void {
  if (block.type === 'text' || wireMedia(block) !== null) return;
  const kinds = block.type === 'image' ? 'a PNG, JPEG, GIF or WebP picture' : 'a PDF or plain text';
  notice(io, `standard input: content[${index}] is left out: the ${block.type} must be ${kinds}, whole and with its bytes in the line`);
}

/** What was piped in stands before the words, since these say what to do with it; but only the words are the person's own. */
export function promptOf({ content, piped, steered }: PromptLine & { readonly type: 'prompt' }): PromptInput {
  if (piped === undefined) return { content, ...(steered === undefined ? {} : { steered }) };
  const words = onlyText(content) ?? '';
  return { content: [{ type: 'text', text: `${piped}\n\n${words}` }], own: [words] };
}

/** The prompt of the command line, with what was piped in; alone, that is the prompt. @throws {UsageError} without either. */
export async function typedPrompt(io: Io, flags: Flags): Promise<PromptLine> {
  const words = firstWords(flags);
  const read = await readPiped(io, { patient: words === undefined });
  if (read.type === 'silent') notice(io, 'standard input is open and silent: going on without it (close it with </dev/null)');
  const piped = read.type === 'text' ? read.text.trim() : '';
  const isTyped = (flags.prompt ?? '').trim() !== '';
  if (piped !== '' && isTyped) return { type: 'prompt', content: textBlocks(words), piped };
  // What an agent's definition says first says nothing of whose word the rest is.
  const all = isTyped ? words : firstWords({ ...flags, prompt: piped });
  if ((all ?? '') === '' && !io.signal.aborted) throw new UsageError('-p needs a prompt: sidenote -p "…", or on standard input');
  return { type: 'prompt', content: textBlocks(all ?? '') };
}
