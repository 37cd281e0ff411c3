import { expect, test } from 'vitest';
import { effectivePrompt, type PromptLayers } from './layers.js';

const part = (name: string) => [{ name, text: name.toUpperCase(), static: true }];
const show = (layers: Partial<PromptLayers>) => {
  const { sections, won, lost } = effectivePrompt({ base: part('base'), ...layers });
  return `${sections.map(({ name }) => name).join(' ')} | ${won} | ${lost.join(' ')}`;
};
const override = part('override');
const coordinator = part('coordinator');
const agent = part('agent');
const custom = part('custom');
const append = part('append');
const blank = [{ name: 'blank', text: ' \n', static: true }];

test.each<[Partial<PromptLayers>, string]>([
  [{}, 'base | base | '],
  [{ append }, 'base append | base | '],
  [{ custom }, 'custom | custom | base'],
  [{ custom, append }, 'custom append | custom | base'],
  [{ custom: [] }, ' | custom | base'],
  [{ custom: [], append }, 'append | custom | base'],
  [{ agent }, 'agent | agent | base'],
  [{ agent, custom, append }, 'agent append | agent | custom base'],
  [{ agent, proactive: true }, 'base agent-heading agent | agent | '],
  [{ agent, custom, append, proactive: true }, 'base agent-heading agent append | agent | custom'],
  [{ proactive: true }, 'base | base | '],
  [{ coordinator }, 'coordinator | coordinator | base'],
  [{ coordinator, append, custom }, 'coordinator append | coordinator | custom base'],
  [{ coordinator, agent }, 'agent | agent | base'],
  [{ override, append, agent, custom, coordinator }, 'override | override | agent custom base'],
  [{ override: blank, append: blank }, 'base | base | '],
])('%j', (layers, expected) => {
  expect(show(layers)).toBe(expected);
});
