import { expect, test } from 'vitest';
import { dynamicSkill } from './dynamic-skill.js';
import { skillsPort } from '../parts/skills.testing.js';
import { ask, result } from './kind.testing.js';

const folder = '/w/apps/web/.claude/skills';
const ports = {
  skills: skillsPort([
    { name: 'start', description: '' },
    { name: 'deploy', description: '', folder },
    { name: 'try', description: '', folder },
  ]),
};
const records = [result('c', 'text', [{ type: 'touched', path: '/w/apps/web/a.ts' }])];

test('tells a person of a found folder, once, and the model nothing', async () => {
  expect((await ask(dynamicSkill, { ports })).type).toBe('nothing');
  const found = await ask(dynamicSkill, { ports, records });
  expect(found).toMatchObject({ type: 'new', text: '', record: { content: [], title: `skills in ${folder}: deploy, try` } });
  expect((await ask(dynamicSkill, { ports, records: [...records, ...found.records] })).type).toBe('nothing');
});
