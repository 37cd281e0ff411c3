import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultPrompt } from './default-prompt.js';

const environment = {
  cwd: '/srv/shop',
  isRepository: true,
  platform: 'linux',
  osVersion: '6.1',
  shell: '/bin/zsh',
  model: 'claude-opus-5-5',
};

test('static sections are the same whoever runs it, wherever, whenever', () => {
  const text = fc.string({ minLength: 4 });
  fc.assert(
    fc.property(
      fc.record({ cwd: text, isRepository: fc.boolean(), platform: text, osVersion: text, shell: text, model: text, language: text }),
      (other) => {
        const statics = (of: typeof environment) => defaultPrompt(of).filter((section) => section.static);
        expect(statics(other)).toEqual(statics(environment));
      },
    ),
  );
});

test('the prompt stays inside its budget of 1,400 tokens', () => {
  const characters = defaultPrompt(environment).reduce((sum, { text }) => sum + text.length, 0);
  expect(characters / 3.5).toBeLessThan(1400);
});

test('the environment names folder, model and shell, and no date', () => {
  const text = defaultPrompt({ ...environment, language: 'German' })
    .flatMap((section) => (section.static ? [] : [section.text]))
    .join('\n\n');
  expect(text).toMatchInlineSnapshot(`
    "# Environment
    Working directory: /srv/shop
    Git repository: yes
    Platform: linux (6.1)
    Shell: /bin/zsh
    Model: claude-opus-5-5

    # Language
    Answer in German. Code and names in code stay as they are."
  `);
});
