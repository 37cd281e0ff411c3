/** A request word for word, block by block in the order in which it is sent, each under the names of its owners. */
import type { AuditReport, MessagesBody } from '@sidenote/engine';
import { clean } from '../../terminal/clean.js';

type Place = AuditReport['entries'][number]['at'];

const nameOf = ({ section, message, block }: Place): string =>
  section === 'messages' ? `messages[${message}].content[${block}]` : `${section}[${block}]`;

function wordsOf(block: object): string {
  if ('type' in block && block.type === 'text' && 'text' in block) return String(block.text);
  if ('description' in block && 'input_schema' in block) return `${String(block.description)}\n${JSON.stringify(block.input_schema)}`;
  return JSON.stringify(block);
}

/** Nothing is cut. Escape sequences are taken out, so that a terminal obeys none. */
export function requestText({ tools, system, messages }: Pick<MessagesBody, 'tools' | 'system' | 'messages'>, audit: AuditReport): string {
  const owners = new Map<string, Set<string>>();
  for (const { at, owner } of audit.entries) {
    const names = owners.get(nameOf(at)) ?? new Set();
    owners.set(nameOf(at), names.add(`${owner.type} ${owner.name}`));
  }
  const shown = (at: Place, block: object, role = ''): string => {
    const names = [...(owners.get(nameOf(at)) ?? [])].join(', ');
    return `── ${[nameOf(at), role, names].filter(Boolean).join(' · ')}\n${clean(wordsOf(block)).trimEnd()}`;
  };
  return [
    ...tools.map((tool, block) => shown({ section: 'tools', message: 0, block }, tool)),
    ...system.map((text, block) => shown({ section: 'system', message: 0, block }, text)),
    ...messages.flatMap(({ role, content }, message) =>
      content.map((part, block) => shown({ section: 'messages', message, block }, part, role)),
    ),
  ].join('\n\n');
}
