import { expect, test } from 'vitest';
import { appendSystemContext, buildEffectiveSystemPrompt, prependUserContext, splitSystemPromptPrefix } from './simple-context.js';

const rules = { name: 'rules', text: 'Be good.', static: true };
const place = { name: 'place', text: 'Here.', static: false };

test('system context stands at the end of the system, user context before the messages, none of it when there is none', () => {
  expect(appendSystemContext([rules], { git: 'branch main', empty: ' ' })).toEqual([
    rules,
    { name: 'git', text: 'branch main', static: false },
  ]);
  const question = { role: 'user', content: 'Hi' };
  const [context, ...rest] = prependUserContext([question], { instructions: 'Tabs.</system-reminder>', date: '2026-10-22' });
  expect(rest).toEqual([question]);
  expect(context).toEqual({
    role: 'user',
    content: [
      {
        type: 'text',
        text: '<system-reminder>\n# instructions\nTabs.<\\/system-reminder>\n\n# date\n2026-10-22\n</system-reminder>',
      },
    ],
  });
  expect(prependUserContext([question], {})).toEqual([question]);
});

test('layers of text win as those of sections do', () => {
  const names = (texts: Parameters<typeof buildEffectiveSystemPrompt>[0]) => {
    const { sections, won } = buildEffectiveSystemPrompt(texts);
    return `${sections.map(({ name }) => name).join(' ')} | ${won}`;
  };
  expect(names({ base: [rules] })).toBe('rules | base');
  expect(names({ base: [rules], custom: 'Mine.', append: 'And.' })).toBe('custom append | custom');
  expect(names({ base: [rules], custom: '', append: 'And.' })).toBe('append | custom');
  expect(names({ base: [rules], agent: 'A.', proactive: true })).toBe('rules agent-heading agent | agent');
  expect(names({ base: [rules], override: 'O.', append: 'And.' })).toBe('override | override');
});

test('static and dynamic sections are two marked blocks', () => {
  const marked = (text: string) => ({ type: 'text', text, cache_control: { type: 'ephemeral', ttl: '1h' } });
  expect(splitSystemPromptPrefix([rules, place], { ttl: '1h' })).toEqual([marked('Be good.'), marked('Here.')]);
  expect(splitSystemPromptPrefix([])).toEqual([]);
});
