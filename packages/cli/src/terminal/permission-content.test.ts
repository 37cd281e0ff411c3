import { expect, it } from 'vitest';
import { answer, edit, stage, turn, type Run } from './stage.testing.js';

const asking: Run = async function* (_input, ask) {
  const given = await ask({ call: edit, title: 'Edit a.ts', why: 'writes a file', rules: ['Edit(a.ts)'] }, new AbortController().signal);
  yield answer(`answered: ${JSON.stringify(given)}`);
  yield { type: 'turn-ended', result: turn() };
};

it('takes no key for an answer that was meant for the editor', async () => {
  const { screen, clock, shows } = stage(asking);
  await shows('asks first');
  screen.enter('go');
  await shows('May this run? Edit a.ts');
  await shows('+const one = 2;');
  clock.advance(200);
  screen.type('1');
  clock.advance(200);
  screen.type('x', '1');
  await shows('1x1');
  clock.advance(400);
  screen.type('\u001b[200~1\u001b[201~');
  await shows('1x11');
  clock.advance(400);
  screen.type('1', '2');
  await shows('1x1112');
  expect(screen.text()).not.toContain('answered');
  clock.advance(400);
  screen.type('1');
  clock.advance(100);
  await shows('answered: {"type":"once"}');
  expect(screen.text()).toContain('1x1112');
});

it('shows all of a command that it asks for, and where it is refused, once', async () => {
  const command = `echo ${'x'.repeat(100)} && rm -r /tmp/build\n${Array.from({ length: 14 }, (_, index) => `echo line-${index}`).join('\n')}`;
  const bash = { id: 'b1', name: 'Bash', input: { command } };
  const { screen, clock, shows, hides } = stage(
    async function* (_input, ask) {
      const request = { call: bash, title: `Bash ${command}`, why: 'no rule allows rm', rules: ['Edit(//tmp/a.ts)'] };
      yield { type: 'permission-requested', request };
      await ask(request, new AbortController().signal);
      yield { type: 'permission-denied', call: bash, why: 'The person declined this call.' };
      yield {
        type: 'tool-ended',
        call: bash,
        outcome: { content: [{ type: 'text', text: 'The person declined this call.' }], isError: true },
      };
      yield { type: 'turn-ended', result: turn() };
    },
    { rows: 50 },
  );
  await shows('asks first');
  screen.enter('go');
  await shows('May this run? Bash echo');
  await shows('rm -r /tmp/build');
  await shows('ctrl+o shows all of it');
  expect(screen.text()).toContain('for this session: Edit(a.ts)');
  expect(screen.text()).not.toContain('line-13');
  screen.type('\u000f');
  await shows('line-13');
  screen.type('\u000f');
  await hides('line-13');
  clock.advance(400);
  screen.type('3');
  clock.advance(100);
  await shows('What should be done instead?');
  screen.type('\r');
  await shows('✗ Bash echo xxx');
  await hides('May this run?');
  expect(screen.text().split('declined this call')).toHaveLength(2);
});

it('denies with words, and keeps the draft', async () => {
  const { screen, clock, shows, hides } = stage(asking);
  await shows('asks first');
  screen.enter('go');
  await shows('May this run?');
  screen.type(...'my draft');
  clock.advance(400);
  screen.type('3');
  clock.advance(100);
  await shows('What should be done instead?');
  await hides('my draft');
  screen.enter('use b.ts');
  await shows('answered: {"type":"deny","words":"use b.ts"}');
  expect(screen.text()).toContain('my draft');
});

it('allows for the session', async () => {
  const { screen, clock, shows } = stage(asking);
  await shows('asks first');
  screen.enter('go');
  await shows('for this session: Edit(a.ts)');
  clock.advance(400);
  screen.type('2');
  clock.advance(100);
  await shows('answered: {"type":"session"}');
});

it('shows what nobody would see of a command and of an edit', async () => {
  const hidden = { id: 'b2', name: 'Edit', input: { file_path: 'a', old_string: 'x', new_string: 'y\u200b' } };
  const { screen, shows } = stage(async function* (_input, ask) {
    const request = {
      call: hidden,
      title: 'Bash echo ok\u{e0072}\u{e006d} \u2066# fine',
      why: 'no rule allows it',
      rules: ['Bash(ok\u{e0072}:*)'],
    };
    yield { type: 'permission-requested', request };
    await ask(request, new AbortController().signal);
    yield { type: 'turn-ended', result: turn() };
  });
  await shows('asks first');
  screen.enter('go');
  await shows('Bash echo ok<U+E0072><U+E006D> <U+2066># fine');
  await shows('for this session: Bash(ok<U+E0072>:*)');
  await shows('+y<U+200B>');
});
