/** What a server gave back, as the result of a call: empty said as such, long texts and what can't be shown kept in files. */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isBlank, messageOf, type Content, type ToolOutcome } from '@sidenote/engine';
import { envNumber, estimateTokens, type Binary, type McpOutcome } from '@sidenote/node';
import { captureOutput } from '../process/capture.js';
import { refused } from '../tools/outcome.js';
import { sizeText } from '../tools/refusal.js';

export type McpEnvironment = {
  /** `MAX_MCP_OUTPUT_TOKENS` is read from it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder for long results. */
  readonly outputDir: string;
};

const DEFAULT_TOKENS = 25_000;
/** Characters of a long result that are shown beside its path. */
const SHOWN = 12_000;
/** Characters in which there are surely more tokens than one each; past this factor no count is needed. */
const SURELY = 12;

/** `limit`: characters that the tool asks to be given whole. */
export async function mcpOutcome(outcome: McpOutcome, environment: McpEnvironment, limit?: number): Promise<ToolOutcome> {
  if (outcome.type === 'failed') return refused(`Failed: ${outcome.why}.`);
  const content = await Promise.all(outcome.content.map((block) => (block.type === 'binary' ? keptBinary(block, environment) : block)));
  const shown = shortened(content, environment, limit);
  const words: readonly Content[] = shown.some((block) => block.type !== 'text' || !isBlank(block.text))
    ? shown
    : [{ type: 'text', text: '(the tool gave nothing back)' }];
  return { content: words, ...(outcome.isError ? { isError: true } : {}) };
}

function shortened(content: readonly Content[], { env, outputDir }: McpEnvironment, limit: number | undefined): readonly Content[] {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const text = texts.join('\n\n');
  if (limit !== undefined ? text.length <= limit : !isLong(text, env)) return content;
  const capture = captureOutput({ file: join(outputDir, `mcp-${randomUUID()}.txt`), spillAfter: 0, keep: SHOWN });
  capture.add(text);
  return [{ type: 'text', text: capture.end().output }, ...content.filter((block) => block.type !== 'text')];
}

function isLong(text: string, env: McpEnvironment['env']): boolean {
  const most = envNumber(env, 'MAX_MCP_OUTPUT_TOKENS') ?? DEFAULT_TOKENS;
  if (text.length <= most) return false;
  return text.length > most * SURELY || estimateTokens([{ type: 'text', text }]) > most;
}

async function keptBinary({ mediaType, bytes }: Binary, { outputDir }: McpEnvironment): Promise<Content> {
  const type = mediaType.replace(/[^\w./+-]/g, '').slice(0, 60);
  const file = join(outputDir, `mcp-${randomUUID()}.${/\/([a-z0-9]{1,8})$/i.exec(type)?.[1] ?? 'bin'}`);
  const what = `[${type}, ${sizeText(bytes.length)}`;
  try {
    await mkdir(outputDir, { recursive: true, mode: 0o700 });
    await writeFile(file, bytes, { mode: 0o600 });
    return { type: 'text', text: `${what}, kept in ${file}]` };
  } catch (error) {
    return { type: 'text', text: `${what}, could not be kept: ${messageOf(error)}]` };
  }
}
