/** What the demo plays: a small repository, what the person types, what the scripted model answers. Tools and git are real. */
import type { Script } from '@sidenote/agent';

/** Files of the repository, by path. */
export const FILES: Readonly<Record<string, string>> = {
  'AGENTS.md': '# Greeter\n- Plain JavaScript modules, two spaces, single quotes.\n- After a change run `node --test`.\n',
  'package.json': '{ "name": "greeter", "type": "module", "private": true }\n',
  'greet.js': "export function greet() {\n  return 'Hello!';\n}\n",
  'greet.test.js':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { greet } from './greet.js';\n\ntest('greets', () => assert.match(greet('Ada'), /Hello/));\n",
};

/** What someone else writes into `greet.js` between the two prompts. */
export const OUTSIDE_EDIT = { path: 'greet.js', find: 'Hello', put: 'Good day' } as const;

export const PROMPTS = ['Let greet() take a name, please, and check it.', 'Are the tests still right?'] as const;

/** The steps of the model, in the order of its requests. */
export function script(folder: string): Script {
  const file = (name: string): string => `${folder}/${name}`;
  const say = (text: string) => ({ type: 'text' as const, text });
  const use = (name: string, input: Readonly<Record<string, unknown>>) => ({ type: 'tool_use' as const, name, input });
  return {
    steps: [
      {
        content: [
          say('I look at the function and its test first.'),
          use('Read', { file_path: file('greet.js') }),
          use('Read', { file_path: file('greet.test.js') }),
        ],
      },
      {
        content: [
          use('Edit', {
            file_path: file('greet.js'),
            old_string: "greet() {\n  return 'Hello!';",
            new_string: "greet(name = 'world') {\n  return `Hello, ${name}!`;",
          }),
        ],
      },
      { content: [use('Bash', { command: 'node --test', description: 'run the tests' })] },
      { content: [say("`greet('Ada')` gives `Hello, Ada!`, and without a name it greets the world. The test passes.")] },
      {
        content: [
          say(
            'Not any more: someone changed `greet.js` since I wrote it, and it says **Good day** now. The test in `greet.test.js` still asks for `Hello`, so it fails. One of the two has to follow; tell me which.',
          ),
        ],
      },
    ],
  };
}
