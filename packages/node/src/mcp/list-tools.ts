/** Asks a server for its tools. One that it describes otherwise than the protocol says is left out by name; the others can be used. */
import type { Client, RequestOptions, Tool } from '@modelcontextprotocol/client';
import { errorText } from './problem.js';

export type ListedTools = {
  readonly tools: readonly Tool[];
  /** One line for each that was left out. */
  readonly notes: readonly string[];
};

/** Pages of a list that are asked for, and tools that are named when they are left out. */
const MOST = { pages: 1_000, named: 10 } as const;

/** Rejects as the client does, unless only some of the tools are at fault. */
export async function listTools(client: Client, how: RequestOptions & { readonly cacheMode: 'refresh' }): Promise<ListedTools> {
  try {
    return { tools: (await client.listTools(undefined, how)).tools, notes: [] };
  } catch (error) {
    const { SdkError, SdkErrorCode } = await import('@modelcontextprotocol/client');
    if (!(error instanceof SdkError) || error.code !== SdkErrorCode.InvalidResult) throw error;
    const items = await itemsAsTheyCome(client, how);
    if (items === undefined) throw error;
    return usable(items);
  }
}

/** Every page, read with no more trust than a list needs; undefined: it is no list. */
async function itemsAsTheyCome(client: Client, how: RequestOptions): Promise<readonly unknown[] | undefined> {
  const items: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST.pages; page++) {
    const result = await client.request({ method: 'tools/list', ...(cursor === undefined ? {} : { params: { cursor } }) }, anything, how);
    if (!isRecord(result) || !Array.isArray(result['tools'])) return undefined;
    items.push(...result['tools']);
    const next = result['nextCursor'];
    if (typeof next !== 'string' || next === cursor) break;
    cursor = next;
  }
  return items;
}

async function usable(items: readonly unknown[]): Promise<ListedTools> {
  const { isSpecType, specTypeSchemas } = await import('@modelcontextprotocol/client');
  const tools: Tool[] = [];
  const left: string[] = [];
  for (const [at, item] of items.entries()) {
    if (isSpecType.Tool(item)) {
      tools.push(item);
      continue;
    }
    const checked = specTypeSchemas.Tool['~standard'].validate(item);
    const [issue] = 'issues' in checked ? (checked.issues ?? []) : [];
    const name = isRecord(item) && typeof item['name'] === 'string' ? errorText(item['name'], 80) : `number ${at + 1}`;
    const where = issue?.path?.map(String).join('.') ?? '';
    left.push(`its tool ${name} is left out: ${where === '' ? '' : `${where}: `}${errorText(issue?.message ?? 'it is no tool', 200)}`);
  }
  const more = left.length - MOST.named;
  return { tools, notes: more > 0 ? [...left.slice(0, MOST.named), `${more} more of its tools are left out`] : left };
}

/** A schema that everything fits. */
const anything = { '~standard': { version: 1, vendor: 'sidenote', validate: (value: unknown) => ({ value }) } } as const;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
