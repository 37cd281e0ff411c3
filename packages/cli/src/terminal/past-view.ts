/** Shows what was said before, when a session is taken up again. */
import type { ChainRecord } from '@sidenote/engine';
import { inside } from '../inside.js';
import type { Injection } from './blocks.js';
import { callTitle } from './call-title.js';
import { clean } from './clean.js';
import type { TranscriptView } from './transcript-view.js';
import { injectionOf } from './turn-view.js';

/** Records that are shown; older ones are only counted. */
const MOST = 200;

export function showPast(
  records: readonly ChainRecord[],
  { transcript, cwd }: { readonly transcript: TranscriptView; readonly cwd: string },
): void {
  const skipped = Math.max(0, records.length - MOST);
  if (skipped > 0) transcript.notice(`${skipped} earlier entries are not shown`, 'info');
  let group: Injection[] = [];
  const flush = (): void => {
    if (group.length > 0) transcript.injections(group);
    group = [];
  };
  const calls = new Map<string, string>();
  for (const record of records.slice(skipped)) {
    if (record.type === 'attachment') {
      group.push(injectionOf(inside(record.title, cwd), record));
      continue;
    }
    if (record.type === 'user') {
      const words = record.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
      if (record.origin === 'summary') transcript.notice('what was said before was summarised', 'info');
      // With what a hook or a task said the client sends words of its own; while they are sent nothing of them is shown either.
      else if (record.origin === 'human' || record.origin === 'peer') transcript.prompt(words);
    }
    flush();
    if (record.type === 'assistant') {
      for (const block of record.message.content) {
        if (block.type === 'text' && 'text' in block) transcript.markdown(clean(String(block.text)));
        if (block.type === 'tool_use' && 'id' in block) calls.set(String(block.id), callTitle(block, cwd));
      }
    } else if (record.type === 'tool_result') {
      const { content, isError } = record;
      transcript.tool(calls.get(record.call) ?? 'tool').update({ type: 'ended', outcome: { content, isError } });
    }
  }
  flush();
}
