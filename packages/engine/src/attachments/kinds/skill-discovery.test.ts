import { expect, test } from 'vitest';
import type { TranscriptRecord } from '../../transcript/records.js';
import { skillDiscovery } from './skill-discovery.js';
import { skillListing } from './skill-listing.js';
import { skillsPort } from '../parts/skills.testing.js';
import { ask, moment, text } from './kind.testing.js';

const digest = (words: string) => words;
const skill = (name: string) => ({ name, description: `Does ${name}.` });
const prompt = (words: string) => moment({ prompts: [{ content: [text(words)] }] });
const user: TranscriptRecord = {
  ...{ id: 'u', at: '', thread: 't', parent: null, batch: { id: 'u', index: 0, count: 1 } },
  type: 'user',
  content: [text('words')],
  origin: 'human',
};

test('names what fits the first words, and looks again only among skills that came since', async () => {
  const skills = [skill('deploy'), skill('notes')];
  const first = await ask(skillDiscovery, { ports: { skills: skillsPort(skills) }, moment: prompt('please deploy it') });
  expect(first.text).toBe('By their descriptions these skills may fit the request: deploy. Load one if it does.');
  const listing = await ask(skillListing, { ports: { skills: skillsPort(skills), digest } });
  const told = [user, ...first.records, ...listing.records];
  const second = { ports: { skills: skillsPort(skills) }, moment: prompt('now the notes') };
  expect((await ask(skillDiscovery, { ...second, records: told })).type).toBe('nothing');
  const grown = { ports: { skills: skillsPort([...skills, skill('tests')]) }, moment: prompt('run the tests and notes') };
  expect((await ask(skillDiscovery, { ...grown, records: told })).text).toContain('request: tests.');
});

test('says nothing where nothing fits, where a person chose, and to words that are no one’s', async () => {
  const ports = { skills: skillsPort([skill('deploy')]) };
  expect((await ask(skillDiscovery, { ports, moment: prompt('something else') })).type).toBe('nothing');
  expect((await ask(skillDiscovery, { ports, moment: prompt('/deploy now') })).type).toBe('nothing');
  const task = moment({ prompts: [{ content: [text('deploy')], origin: 'task' }] });
  expect((await ask(skillDiscovery, { ports, moment: task })).type).toBe('nothing');
});
