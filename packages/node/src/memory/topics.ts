/** The memories beside the index, one file each: what is in the folders, and what of each file is searched. */
import { lstatSync, readdirSync, type Dirent } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { InstructionFile } from '@sidenote/engine';
import { headOf } from '../files/lines.js';
import { lookSync } from '../files/stat.js';
import { untold } from '../instructions/entry.js';
import { readMemory, type MemoryText } from './entry.js';
import { indexName, type MemoryFolder, type MemoryPlaces } from './places.js';

/** Files of all folders together, and how deep they may lie: more than that is no memory any more. */
const maxTopics = 500;
const maxDepth = 3;
/** Characters of a text that are searched. */
const maxSearched = 8000;

export type Topic = {
  readonly folder: MemoryFolder;
  /** As it was found. */
  readonly path: string;
  /** Relative to its folder. */
  readonly name: string;
  readonly reading: MemoryText;
  /** `name` and `description` of its front matter, else its first heading or line. */
  readonly title: string;
  readonly headings: string;
  readonly body: string;
};

export type Topics = {
  readonly topics: readonly Topic[];
  /** What can't be read, and that there are too many. */ readonly problems: readonly InstructionFile[];
};

/** Reads what has changed since the last time. */
export class TopicFiles {
  readonly #places: MemoryPlaces;
  readonly #known = new Map<string, { readonly stamp: string; readonly topic: Topic | InstructionFile }>();

  constructor(places: MemoryPlaces) {
    this.#places = places;
  }

  /** In the order of their paths, the team's first. A folder that is not there costs a look. */
  read(): Topics {
    const { own, team } = this.#places;
    const topics: Topic[] = [];
    const problems: InstructionFile[] = [];
    const found = (team === undefined ? [own] : [team, own]).flatMap((folder) => {
      const paths = filesIn(folder.path);
      if (paths === undefined) problems.push(unreadable(folder));
      return (paths ?? []).map((path) => ({ path, folder }));
    });
    for (const { path, folder } of found.slice(0, maxTopics)) {
      const topic = this.#topic(path, folder);
      if ('reading' in topic) topics.push(topic);
      else problems.push(topic);
    }
    if (found.length > maxTopics) problems.push(tooMany(own, found.length));
    return { topics, problems };
  }

  #topic(path: string, folder: MemoryFolder): Topic | InstructionFile {
    const stamp = stampOf(path);
    const known = this.#known.get(path);
    if (known !== undefined && stamp !== '' && known.stamp === stamp) return known.topic;
    const read = readMemory(path, folder);
    const topic =
      read.type === 'text'
        ? topicOf(path, folder, read.reading)
        : read.type === 'not'
          ? read.entry
          : { path, scope: folder.scope, text: '', status: 'missing', reason: 'it is gone' };
    this.#known.set(path, { stamp, topic });
    return topic;
  }
}

/** Undefined: the folder can't be read. */
function filesIn(folder: string): readonly string[] | undefined {
  const { type } = lookSync(folder);
  if (type === 'gone') return [];
  return type === 'found' ? listed(folder, 0) : undefined;
}

function listed(folder: string, depth: number): readonly string[] | undefined {
  return entriesOf(folder)?.flatMap((entry) => {
    if (entry.name.startsWith('.')) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth + 1 < maxDepth ? (listed(path, depth + 1) ?? []) : [];
    return /\.md$/i.test(entry.name) && !(depth === 0 && entry.name === indexName) ? [path] : [];
  });
}

function entriesOf(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return undefined;
  }
}

/** Empty for what may change without its own stat: it is read each time. */
function stampOf(path: string): string {
  try {
    const stat = lstatSync(path, { bigint: true });
    return stat.isSymbolicLink() ? '' : `${stat.mtimeNs} ${stat.ctimeNs} ${stat.size} ${stat.ino}`;
  } catch {
    return '';
  }
}

function topicOf(path: string, folder: MemoryFolder, reading: MemoryText): Topic {
  const text = headOf(reading.text.replaceAll('\r\n', '\n'), maxSearched);
  const [, fields = '', body = text] = /^\s*---[ \t]*\n([^]*?\n)---[ \t]*(?:\n|$)([^]*)$/.exec(text) ?? [];
  const headings = [...body.matchAll(/^#{1,6}[ \t]+(.+)$/gm)].map(([, words = '']) => words);
  const named = ['name', 'description'].flatMap((field) => new RegExp(`^${field}:[ \\t]*(.+)$`, 'm').exec(fields)?.[1]?.trim() ?? []);
  const first = body.trimStart().split('\n')[0] ?? '';
  const title = named.length > 0 ? named.join(': ') : (headings[0] ?? first);
  return { folder, path, name: relative(folder.path, path), reading, title: headOf(title, 200), headings: headings.join('\n'), body };
}

function unreadable({ path, scope }: MemoryFolder): InstructionFile {
  return untold({ path, scope }, { status: 'unreadable', reason: 'the folder can’t be read', remedy: 'look at its permissions' });
}

function tooMany({ path }: MemoryFolder, count: number): InstructionFile {
  const reason = `${count} memories, and the first ${maxTopics} are looked at`;
  return { path, scope: 'memory', text: '', status: 'too-many', reason, warning: `${path}: ${reason}; join some of them` };
}

/** The file's name as words. */
export const stemOf = ({ path }: Topic): string => basename(path).replace(/\.md$/i, '');
