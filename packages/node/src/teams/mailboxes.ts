/**
 * Mailboxes of a team: a folder for each member, a file for each message. A message appears as a whole or not at all, and is
 * renamed when it was read, so several processes can share a team.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Id, Mail, Ports } from '@sidenote/engine';
import { readTextFile } from '../files/read.js';
import { makeFolder } from '../store/folders.js';

export type TeamMember = { readonly name: string; readonly role: string };

export interface Mailboxes {
  /** Durable before it resolves. Rejects with what the disk says. */
  send(mail: { readonly from: string; readonly to: string; readonly text: string }): Promise<Id>;
  /** Unread messages of a member, oldest first. What can't be read as one is passed over, and told once. */
  inbox(name: string): NonNullable<Ports['mailbox']>;
  /** Who is in the team, for other processes. */
  keepMembers(members: readonly TeamMember[]): Promise<void>;
}

export type MailboxOptions = {
  /** `<configDir>/teams/<team>`. */
  readonly folder: string;
  /** A file that is no message: one line for the person. */
  readonly problem?: (line: string) => void;
};

/** Bytes of one message. */
const LARGEST = 4 * 1024 * 1024;
const UNREAD = /^(\d{13}-[0-9a-f-]{36})\.json$/;

export function mailboxes({ folder, problem }: MailboxOptions): Mailboxes {
  const told = new Set<string>();
  // Any name is a folder's name then, and none leads out of it.
  const boxOf = (name: string): string => join(folder, 'inboxes', encodeURIComponent(name).replaceAll('.', '%2E'));
  const write = async (path: string, value: unknown): Promise<void> => {
    const draft = `${path}.${randomUUID()}.tmp`;
    await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
    await rename(draft, path);
  };
  const fault = (path: string, why: string): void => {
    if (!told.has(path)) problem?.(`${path}: no message of a teammate (${why}); it was passed over`);
    told.add(path);
  };
  return {
    async send({ from, to, text }) {
      const box = boxOf(to);
      await makeFolder(box);
      const now = Date.now();
      const id = `${String(now).padStart(13, '0')}-${randomUUID()}`;
      await write(join(box, `${id}.json`), { id, from, to, text, at: new Date(now).toISOString() });
      return id;
    },
    inbox(name) {
      const box = boxOf(name);
      return {
        async read() {
          const names = await readdir(box).catch(() => []);
          const mail: Mail[] = [];
          for (const file of names.toSorted()) {
            if (file.includes('.json.') || file.endsWith('.read.json')) continue;
            const path = join(box, file);
            const id = UNREAD.exec(file)?.[1];
            const one = id === undefined ? 'its name is none of ours' : await mailIn(path, id);
            if (typeof one === 'string') fault(path, one);
            else mail.push(one);
          }
          return { type: 'ready', value: mail, version: String(mail.length) };
        },
        async markRead(ids) {
          // What another process has marked meanwhile is gone from here.
          for (const id of ids)
            if (UNREAD.test(`${id}.json`)) await rename(join(box, `${id}.json`), join(box, `${id}.read.json`)).catch(() => undefined);
        },
      };
    },
    async keepMembers(members) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await write(join(folder, 'config.json'), { members });
    },
  };
}

/** The message, or why it is none. */
async function mailIn(path: string, id: Id): Promise<Mail | string> {
  const reading = await readTextFile(path, { maxBytes: LARGEST });
  if (reading.type !== 'text') return reading.type;
  try {
    const value: unknown = JSON.parse(reading.text);
    if (typeof value !== 'object' || value === null) return 'no object';
    const { from, text, at } = value as { readonly from?: unknown; readonly text?: unknown; readonly at?: unknown };
    if (typeof from !== 'string' || typeof text !== 'string' || typeof at !== 'string') return 'a field is missing';
    return { id, from, text, at };
  } catch {
    return 'no JSON';
  }
}
