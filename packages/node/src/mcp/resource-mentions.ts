/** `@server:uri` in a text, as people write it in prompts. */
import type { ResourceMention } from '@sidenote/engine';
import { withoutCode } from '../files/code-ranges.js';

/** Mentions of one text that are followed. */
const MOST = 50;

/** Those that name a known server; of an unknown one only what is evidently an address (`@x:y://z`). Not in code. */
export function resourceMentions(text: string, isServer: (name: string) => boolean): readonly ResourceMention[] {
  if (!text.includes('@')) return [];
  const found: ResourceMention[] = [];
  for (const [whole, server = '', rest = ''] of withoutCode(text).matchAll(
    /(?<![\p{L}\p{N}_.%+\-/\\@`=&#$])@([A-Za-z0-9][\w.-]*):([^\s"'`<>\0]+)/gu,
  )) {
    const uri = rest.replace(/[.,:;!?)\]}*~(…。，、；：！？]+$/u, '');
    if (uri === '' || !(isServer(server) || /^[a-z][a-z0-9+.-]*:\/\//i.test(uri))) continue;
    found.push({ raw: whole.slice(0, whole.length - (rest.length - uri.length)), server, uri });
    if (found.length === MOST) break;
  }
  return found;
}
