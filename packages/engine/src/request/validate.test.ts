import fc from 'fast-check';
import { expect, test } from 'vitest';
import { profileOf } from './profiles.js';
import { validateBody, validateFrom } from './validate.js';
import type { MessagesBody, WireBlock, WireMessage } from './wire.js';

const model = 'claude-opus-5-5';
const profile = profileOf(model);
const text = (words: string): WireBlock => ({ type: 'text', text: words });
const call = (id: string): WireBlock => ({ type: 'tool_use', id, name: 'Read', input: {} });
const result = (id: string, words = 'done'): WireBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content: [{ type: 'text', text: words }],
});
const user = (...content: WireBlock[]): WireMessage => ({ role: 'user', content });
const answer = (...content: WireBlock[]): WireMessage => ({ role: 'assistant', content });
const system = (words: string): WireMessage => ({ role: 'system', content: [{ type: 'text', text: words }] });
const marked = (block: WireBlock, ttl: '5m' | '1h' = '5m'): WireBlock =>
  Object.assign({}, block, { cache_control: { type: 'ephemeral' as const, ttl } });
const body = (...messages: WireMessage[]): MessagesBody => ({
  model,
  system: [{ type: 'text', text: 'You fix bugs.' }],
  tools: [{ name: 'Read', description: 'Reads a file.', input_schema: { type: 'object' } }],
  messages,
});
/** A body as it may come from a file, whatever the types say. */
const raw = (messages: unknown): MessagesBody => JSON.parse(JSON.stringify({ ...body(), messages }));
const found = (bad: MessagesBody, on = profile) => validateBody(bad, on).map(({ path, rule }) => `${rule} at ${path}`);

const png = btoa('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x010123456789');
const image: WireBlock = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } };

test('a long valid conversation has no problem', () => {
  const good = body(
    user(text('<r>'), image, marked(text('fix it'))),
    answer({ type: 'thinking', thinking: '', signature: 's1' }, text('I look.'), call('c1'), call('c2')),
    user(result('c2'), result('c1'), text('also the tests')),
    system('The budget is now low.'),
    answer({ type: 'redacted_thinking', data: 'x' }, call('c3')),
    user(result('c3')),
    user(marked(text('more'))),
  );
  expect(found(good)).toEqual([]);
});

test.each<[string, MessagesBody]>([
  ['empty-message at messages', body()],
  ['empty-message at messages.0', body(user())],
  ['first-message at messages.0', body(answer(text('hi')), user(text('hi')))],
  ['role at messages.1', raw([user(text('a')), { role: 'tool', content: [{ type: 'text', text: 'a' }] }])],
  ['blank-text at messages.0.content.1', body(user(text('a'), text(' \n')))],
  ['blank-text at messages.2.content.0.content.0', body(user(text('a')), answer(call('c1')), user(result('c1', ' ')))],
  ['blank-text at system.0', { ...body(user(text('a'))), system: [{ type: 'text', text: '' }] }],
  ['lone-surrogate at messages.0.content.0.text', body(user(text('a\ud83e')))],
  [
    'lone-surrogate at messages.1.content.0.input.path',
    body(user(text('a')), answer({ type: 'tool_use', id: 'c1', name: 'Read', input: { path: '\udc00' } }), user(result('c1'))),
  ],
  ['media at messages.0.content.0', body(user({ type: 'image', source: { type: 'base64', media_type: 'image/gif', data: png } }))],
  ['media-count at messages.0', body(user(...Array.from({ length: 601 }, () => image)))],
  ['block-type at messages.0.content.0', raw([{ role: 'user', content: [{ type: 'reasoning', text: 'a' }] }])],
  [
    'block-type at messages.2.content.0.content.0',
    raw([
      user(text('a')),
      answer(call('c1')),
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'x' }] }] },
    ]),
  ],
  ['role at messages.0.content.0', body(user(call('c1')), answer(text('a')), user(text('b')))],
  [
    'call-shape at messages.1.content.0',
    body(user(text('a')), answer({ type: 'tool_use', id: 'c:1', name: 'Read', input: {} }), user(result('c:1'))),
  ],
  [
    'call-shape at messages.1.content.0',
    body(user(text('a')), answer({ type: 'tool_use', id: 'c1', name: 'a b', input: {} }), user(result('c1'))),
  ],
  [
    'call-shape at messages.1.content.0',
    body(user(text('a')), answer({ type: 'tool_use', id: 'c1', name: 'Read', input: [] }), user(result('c1'))),
  ],
  ['duplicate-call at messages.1.content.1', body(user(text('a')), answer(call('c1'), call('c1')), user(result('c1')))],
  [
    'duplicate-call at messages.3.content.0',
    body(user(text('a')), answer(call('c1')), user(result('c1')), answer(call('c1')), user(result('c1'))),
  ],
  ['missing-result at messages.2.content.0', body(user(text('a')), answer(call('c1')), user(text('b')))],
  ['missing-result at messages.2.content.1', body(user(text('a')), answer(call('c1'), call('c2')), user(result('c1'), text('b')))],
  ['missing-result at messages.2', body(user(text('a')), answer(call('c1'), call('c2')), user(result('c1')))],
  [
    'missing-result at messages.3',
    body(user(text('a')), answer(call('c1'), call('c2')), user(result('c1')), answer(text('b')), user(text('c'))),
  ],
  ['unexpected-result at messages.0.content.0', body(user(result('c9')))],
  [
    'unexpected-result at messages.4.content.0',
    body(user(text('a')), answer(call('c1')), user(result('c1')), answer(text('b')), user(result('c1'))),
  ],
  ['duplicate-result at messages.2.content.1', body(user(text('a')), answer(call('c1')), user(result('c1'), result('c1')))],
  ['system-place at messages.2', body(user(text('a')), system('s'), user(text('b')))],
  ['system-place at messages.2', body(user(text('a')), answer(text('b')), system('s'))],
  ['first-message at messages.0', body(system('s'))],
  ['thinking-place at messages.0.content.0', body(user({ type: 'redacted_thinking', data: 'x' }))],
  [
    'thinking-signature at messages.1.content.0',
    body(user(text('a')), answer({ type: 'thinking', thinking: 'hm', signature: '' }, text('b')), user(text('c'))),
  ],
  ['thinking-parameter at thinking', { ...body(user(text('a'))), thinking: { type: 'disabled' } }],
  ['prefill at messages.1', body(user(text('a')), answer(text('b')))],
  ['tool-name at tools.0', { ...body(user(text('a'))), tools: [{ name: 'a.b', description: 'd', input_schema: { type: 'object' } }] }],
  ['tool-unique at tools.1', { ...body(user(text('a'))), tools: [...body().tools, ...body().tools] }],
  ['mark-count at cache_control', body(user(...['a', 'b', 'c', 'd', 'e'].map((words) => marked(text(words)))))],
  ['mark-order at messages.0.content.1', body(user(marked(text('a')), marked(text('b'), '1h')))],
  [
    'mark-place at messages.1.content.0',
    body(user(text('a')), answer(marked({ type: 'thinking', thinking: '', signature: 's' }), text('b')), user(text('c'))),
  ],
])('%s', (problem, bad) => {
  expect(found(bad)).toEqual([problem]);
});

test('a late result is reported where it stands, besides being missed in time', () => {
  expect(found(body(user(text('a')), answer(call('c1')), user(text('b'), result('c1'))))).toEqual([
    'missing-result at messages.2.content.0',
    'results-first at messages.2.content.1',
  ]);
});

test('results may be split over user messages, but then no system message may follow', () => {
  const split = [user(text('a')), answer(call('c1'), call('c2')), user(result('c1')), user(result('c2'))];
  expect(found(body(...split))).toEqual([]);
  expect(found(body(...split, system('s')))).toEqual(['system-place at messages.4']);
});

test('a system message between a call and its result is refused twice over', () => {
  expect(found(body(user(text('a')), answer(call('c1')), system('s'), answer(text('b')), user(text('c'))))).toEqual([
    'system-place at messages.2',
    'missing-result at messages.3',
  ]);
});

test('models without the system role refuse it', () => {
  expect(found(body(user(text('a')), system('s')), profileOf('claude-sonnet-4-6'))).toEqual(['system-role at messages.1']);
});

test('blocks of its own go back to the model', () => {
  expect(
    found(raw([user(text('a')), { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, text('b')] }, user(text('c'))])),
  ).toEqual([]);
});

const anyBlock = fc.oneof(
  fc.constantFrom('a', ' ').map(text),
  fc.constantFrom('c1', 'c2', 'c3').map(call),
  fc.constantFrom('c1', 'c2', 'c3').map((id) => result(id)),
);
const anyMessage = fc.oneof(
  fc.array(anyBlock, { maxLength: 3 }).map((blocks) => user(...blocks)),
  fc.array(anyBlock, { maxLength: 3 }).map((blocks) => answer(...blocks)),
  fc.constant(system('s')),
);

test('checking what is new finds what checking everything finds there', () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 8 }), fc.nat(8), (messages, cut) => {
      const whole = body(...messages);
      const before = validateFrom({ ...whole, messages: messages.slice(0, cut) }, profile);
      const after = validateFrom(whole, profile, { state: before.state });
      const late = validateBody(whole, profile).filter(({ path }) => Number(path.split('.')[1] ?? 0) >= cut);
      expect(after.problems.filter(({ path }) => Number(path.split('.')[1] ?? 0) >= cut)).toEqual(late);
    }),
  );
});

test('the work of a check does not grow with what was checked before', () => {
  let reads = 0;
  const watched = (message: WireMessage): WireMessage =>
    new Proxy(message, {
      get(target, name) {
        reads++;
        return Reflect.get(target, name);
      },
    });
  const history = Array.from({ length: 500 }, (_, n) => [user(text('a')), answer(text(`b${n}`))])
    .flat()
    .map(watched);
  const first = validateFrom(body(...history, user(text('c'))), profile, { marks: [] });
  reads = 0;
  const next = body(...history, user(text('c')), answer(call('c1')), user(result('c1')));
  expect(validateFrom(next, profile, { state: first.state, marks: [] }).problems).toEqual([]);
  expect(reads).toBe(0);
});

test('a mark is looked for where it is said to be', () => {
  const { problems } = validateFrom(body(user(text('a'))), profile, { marks: [{ section: 'messages', message: 0, block: 0 }] });
  expect(problems.map(({ rule }) => rule)).toEqual(['mark-place']);
});

test('too many pictures are reported once, where the limit of this model is passed', () => {
  const pictures = (count: number) => user(...Array.from({ length: count }, () => image));
  const conversation = body(pictures(60), answer(text('a')), pictures(60), answer(text('b')), pictures(60));
  expect(found(conversation, profileOf('claude-haiku-4-5'))).toEqual(['media-count at messages.2']);
  expect(found(conversation)).toEqual([]);
});

test('system and tools are looked at once per prefix', () => {
  const spoilt = { ...body(user(text('a'))), system: [{ type: 'text' as const, text: ' ' }] };
  const first = validateFrom(spoilt, profile);
  expect(first.problems.map(({ rule }) => rule)).toEqual(['blank-text']);
  expect(validateFrom(spoilt, profile, { state: first.state }).problems).toEqual([]);
  expect(validateFrom({ ...spoilt, tools: [...spoilt.tools] }, profile, { state: first.state }).problems).toHaveLength(1);
});

test('what follows one state may be checked more than once, as when a request is planned anew: no id is used twice by that', () => {
  const begun = body(user(text('a')));
  const { state } = validateFrom(begun, profile);
  const longer = { ...begun, messages: [...begun.messages, answer(call('c1')), user(result('c1'))] };
  expect([1, 2].map(() => validateFrom(longer, profile, { state }).problems)).toEqual([[], []]);
});
