import type { AgentEvent } from '@sidenote/agent';
import type { Collected } from '@sidenote/engine';
import { expect, it } from 'vitest';
import { noticer } from './notices.js';

const reported = (outcome: Collected['outcome'], why?: string): AgentEvent => ({
  type: 'attachment-reported',
  collected: { kind: 'git_snapshot', outcome, ms: 1, ...(why === undefined ? {} : { why }) },
});

it.each([
  [false, ['git snapshot: late (slow disk)']],
  [true, ['git snapshot: late (slow disk)', 'git snapshot: off (this session has no view of git)']],
])('with verbose %s it says each thing once', (verbose, expected) => {
  const lines: string[] = [];
  const notify = noticer((line) => lines.push(line), verbose);
  for (let step = 0; step < 3; step++)
    for (const event of [reported('late', 'slow disk'), reported('off', 'this session has no view of git'), reported('new')]) notify(event);
  expect(lines).toEqual(expected);
});

it('says what is to be done about files that were found', () => {
  const lines: string[] = [];
  const notify = noticer((line) => lines.push(line), false);
  const notes = ['/w/CLAUDE.md is large: split it', '/w/gone.md is missing: correct the path'];
  for (let turn = 0; turn < 2; turn++)
    notify({ type: 'attachment-reported', collected: { kind: 'project_instructions', outcome: 'new', ms: 1, notes } });
  expect(lines).toEqual(notes);
});

it('names the rule that lets a call run where nobody is there to ask', () => {
  const lines: string[] = [];
  const notify = noticer((line) => lines.push(line), false);
  const call = { id: 'c1', name: 'Bash', input: {} };
  notify({ type: 'permission-denied', call, why: 'Not allowed: nobody is there to ask.', rules: ['Bash(npm test:*)', "Bash(echo 'a')"] });
  notify({ type: 'permission-denied', call, why: 'Not allowed: a rule denies it.' });
  expect(lines).toEqual([
    String.raw`Bash: Not allowed: nobody is there to ask. --allowedTools 'Bash(npm test:*)' 'Bash(echo '\''a'\'')' allows it.`,
    'Bash: Not allowed: a rule denies it.',
  ]);
});
