/** For the person only: a folder with skills was found, because something near it was touched. The model hears of them by the listing. */
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment, isKind } from '../contract.js';
import { fitting, member, strings } from '../parts/kept.js';
import { names } from '../parts/names.js';
import { nothingTouched, touch, touchedNow, type Touched } from '../parts/touched.js';

type Told = { readonly folders: Set<string>; readonly touched: Touched };
type Data = { readonly folders: readonly { readonly path: string; readonly skills: readonly string[] }[] };

export const dynamicSkill = defineAttachment({
  kind: 'dynamic_skill',
  version: 1,
  needs: ['skills'],
  group: 'thread',
  wait: 'may',
  trust: 'user',
  tool: 'Skill',
  told: foldersFold(),
  decode(data) {
    const folders = strings(member(data, 'folders'));
    return folders === undefined ? undefined : { folders };
  },
  async collect(moment, told, { skills }) {
    const touched = touchedNow(told.touched, moment.effects);
    if (touched.length === 0) return { type: 'nothing' };
    const reading = await skills.read(touched, moment.signal);
    if (reading.type === 'unavailable') return { type: 'nothing' };
    const found = new Map<string, string[]>();
    for (const { folder, name } of reading.value) {
      if (folder !== undefined && !told.folders.has(folder)) found.set(folder, [...(found.get(folder) ?? []), name]);
    }
    const folders = fitting([...found].map(([path, skillNames]) => ({ path, skills: skillNames.slice(0, 20) })));
    return folders.length === 0 ? { type: 'nothing' } : { type: 'new', data: { folders } };
  },
  render: (_data: Data) => ({ content: [] }),
  keep: ({ folders }) => ({ folders: folders.map(({ path }) => path) }),
  title: ({ folders }) => folders.map(({ path, skills }) => `skills in ${path}: ${names(skills)}`).join('; '),
  reason: () => 'something in its folder was touched',
});

function foldersFold(): Fold<Told> {
  return {
    name: 'dynamic-skill',
    scope: 'chain',
    on: ['tool_result', 'attachment'],
    initial: () => ({ folders: new Set(), touched: nothingTouched() }),
    step(state, record) {
      touch(state.touched, record);
      if (isKind(record, 'dynamic_skill')) for (const path of strings(member(record.data, 'folders')) ?? []) state.folders.add(path);
      return state;
    },
  };
}
