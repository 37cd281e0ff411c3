/** A stored conversation as Markdown: what was typed, answered and done; injected context only on demand, and marked as such. */
import type { ChainRecord, Content } from '@sidenote/engine';
import { callTitle } from '../../terminal/call-title.js';

export type ConversationTextOptions = {
  /** Paths in titles are shown relative to it. */
  readonly cwd: string;
  /** Also what was injected. */
  readonly injected: boolean;
  /** Lines of a result that are shown; default: all. */
  readonly lines?: number;
};

export function conversationText(records: readonly ChainRecord[], options: ConversationTextOptions): string {
  const titles = new Map<string, string>();
  return records.flatMap((record) => partsOf(record, options, titles)).join('\n\n');
}

function partsOf(record: ChainRecord, { cwd, injected, lines = Infinity }: ConversationTextOptions, titles: Map<string, string>): string[] {
  switch (record.type) {
    case 'user':
      return [record.origin === 'human' ? '## You' : `## From ${ORIGINS[record.origin]}`, textOf(record.content)];
    case 'assistant': {
      const texts: string[] = [];
      for (const block of record.message.content) {
        if (block.type === 'text' && 'text' in block) texts.push(String(block.text));
        if (block.type === 'tool_use' && 'id' in block) titles.set(String(block.id), callTitle(block, cwd));
      }
      const said = texts.filter((text) => text.trim() !== '');
      return said.length === 0 ? [] : ['## Answer', ...said];
    }
    case 'tool_result':
      return [
        `### ${titles.get(record.call) ?? 'A tool'}${record.isError ? ' (failed)' : ''}`,
        fenced(firstLines(textOf(record.content), lines)),
      ];
    case 'attachment':
      return injected && record.content.length > 0 ? [`### Injected: ${record.title}`, fenced(textOf(record.content))] : [];
    case 'compact_boundary':
      return ['---'];
    case 'prefix':
      return [];
  }
}

const ORIGINS = { peer: 'another agent', task: 'a finished task', hook: 'a hook', summary: 'the summary of what was before' } as const;

function textOf(content: readonly Content[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
}

function firstLines(text: string, most: number): string {
  const all = text.split('\n');
  return all.length <= most ? text : [...all.slice(0, most), `[${all.length - most} more lines]`].join('\n');
}

/** In a fence that nothing in the text closes. */
function fenced(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
