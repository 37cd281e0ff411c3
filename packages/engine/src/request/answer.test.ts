/** What of an answer goes back: all of it to the model that gave it, except for what its provider would refuse. */
import { expect, test } from 'vitest';
import type { Returned } from '../content/content.js';
import { openSession } from '../session/open-session.js';
import { answer, call, LawChecker, MemoryStore, say, testPorts, think } from '../testing/index.js';

const redacted = { type: 'redacted_thinking', data: 'c2VjcmV0' } as Returned;
const unsigned = { type: 'thinking', thinking: 'cut off', signature: '' } as Returned;
const foreign = { type: 'reasoning', text: 'as this server calls it' } as Returned;

/** The answer as the next request holds it, asked of the same model or of another one. */
async function sentBack(blocks: readonly Returned[], other?: string): Promise<readonly unknown[]> {
  const options = { model: 'claude-opus-5-5', tools: [], system: 'x', store: new MemoryStore(), ports: testPorts(), kinds: [] };
  const session = await openSession(options);
  const thread = session.main;
  const laws = new LawChecker();
  laws.check(await thread.prompt('One.'), thread);
  for (const { id } of await thread.response(answer(blocks))) await thread.result(id, 'text');
  if (thread.state === 'results') {
    laws.check(await thread.next(), thread);
    await thread.interrupt('enough');
  }
  if (other !== undefined) await session.set('model', other);
  const { request } = laws.check(await thread.prompt('Two.'), thread);
  return request.messages[1]?.content ?? [];
}

test('it goes back as it came to the model that gave it', async () => {
  const blocks = [think('hm'), redacted, say('Yes.'), foreign];
  expect(await sentBack(blocks)).toEqual(blocks);
});

test('another model gets the words alone', async () => {
  expect(await sentBack([think('hm'), redacted, say('Yes.'), foreign], 'claude-sonnet-5-5')).toEqual([say('Yes.')]);
});

test('unsigned thinking and blank text stay out; where nothing is left, that is said', async () => {
  expect(await sentBack([unsigned, say(' \n'), say('Yes.')])).toEqual([say('Yes.')]);
  expect(await sentBack([unsigned, say('')])).toEqual([{ type: 'text', text: '(no text)' }]);
  expect(await sentBack([redacted], 'claude-sonnet-5-5')).toEqual([{ type: 'text', text: '(no text)' }]);
});

test('calls that a provider would refuse are made to fit, others stay the same', async () => {
  const good = call('Read', { file_path: 'a' }, 'toolu_1');
  expect(await sentBack([good])).toEqual([good]);
  const [odd, again] = await sentBack([call('my tool!'.padEnd(300, 'x'), ['no object'], 'id with spaces'), call('', {}, 'id_with_spaces')]);
  expect(odd).toEqual({ type: 'tool_use', id: 'id_with_spaces', name: 'my_tool_'.padEnd(200, 'x'), input: {} });
  expect(again).toEqual({ type: 'tool_use', id: 'id_with_spaces_2', name: 'unknown', input: {} });
});
