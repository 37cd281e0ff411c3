/** Where everything stands in a request, as listings. */
import { describe, expect, test } from 'vitest';
import { defineAttachment, lastOf, type AttachmentKind } from '../attachments/contract.js';
import type { Content } from '../content/content.js';
import { openSession } from '../session/open-session.js';
import type { Session, SessionOptions } from '../session/session.js';
import { profileOf } from './profiles.js';
import { validateBody } from './validate.js';
import { answer, call, FakeClock, LawChecker, layout, MemoryStore, say, testPorts, think } from '../testing/index.js';

type Data = { readonly text: string };
const image: Content = {
  type: 'image',
  source: {
    type: 'base64',
    media_type: 'image/png',
    data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  } as Content extends {
    source: infer S;
  }
    ? S
    : never,
};

/** Kinds that say what is pushed into them. */
function pushed(kind: string, changes: Partial<AttachmentKind<Data, unknown>> = {}) {
  return defineAttachment<Data, unknown>({
    kind,
    version: 1,
    needs: [],
    group: 'thread',
    wait: 'may',
    trust: 'client',
    told: lastOf(kind, (data) => data),
    decode: (data) => data,
    collect: () => ({ type: 'nothing' }),
    render: ({ text }) => ({ content: [{ type: 'text', text }] }),
    title: ({ text }) => text,
    reason: () => 'pushed',
    ...changes,
  });
}
const kinds = [
  pushed('client'),
  pushed('outside', { trust: 'third-party' }),
  pushed('shared_a', { wrap: 'env' }),
  pushed('shared_b', { wrap: 'env' }),
  pushed('plain', { wrap: 'none' }),
  pushed('picture', { render: ({ text }) => ({ content: [{ type: 'text', text }, image] }) }),
  pushed('only_picture', { render: () => ({ content: [image] }) }),
];

type Bench = { readonly session: Session; readonly options: SessionOptions; readonly store: MemoryStore; readonly laws: LawChecker };
async function bench(changes: Partial<SessionOptions> = {}): Promise<Bench> {
  const store = new MemoryStore();
  const options: SessionOptions = {
    model: 'claude-opus-5-5',
    tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object' } }],
    system: 'You help.',
    store,
    ports: testPorts(new FakeClock()),
    kinds,
    cache: { mode: 'off' },
    ...changes,
  };
  return { session: await openSession(options), options, store, laws: new LawChecker() };
}

/** A turn up to the request with two results, given in reverse order; `push` tells what comes with them. */
async function twoResults({ session, laws, options }: Bench, push: (session: Session) => void = () => undefined): Promise<string> {
  const thread = session.main;
  laws.check(await thread.prompt('Look.'), thread);
  await thread.response(answer([call('Read', { n: 1 }, 'A'), call('Read', { n: 2 }, 'B')], options.model));
  await thread.result('B', 'text of B');
  await thread.result('A', 'text of A');
  push(session);
  return messages(layout(laws.check(await thread.next(), thread).request));
}
/** Without the head, which is the same everywhere here. */
const messages = (listing: string): string => listing.split('\n').slice(2).join('\n');
const lastMessage = (listing: string): string => listing.slice(listing.lastIndexOf('\nuser') + 1);

describe('what comes with results', () => {
  test('stands inside the last one, or inside the one that it belongs to; results stand in call order', async () => {
    const listing = await twoResults(await bench(), ({ main }) => {
      main.attach('client', { text: 'of the step' });
      main.attach('outside', { text: 'of A' }, 'A');
      main.attach('client', { text: 'of a call that never was' }, 'Z');
    });
    expect(listing).toMatchInlineSnapshot(`
      "user
        text Look.
      assistant
        call Read {"n":1}
        call Read {"n":2}
      user
        result text of A + <system-reminder>⏎of A⏎</system-reminder>
        result text of B + <system-reminder>⏎of the step⏎</system-reminder> + <system-reminder>⏎of a call that never was⏎</system-reminder>"
    `);
  });

  test('stands beside them when the session is set so', async () => {
    const listing = await twoResults(await bench({ reminders: { delivery: 'after-results' } }), ({ main }) => {
      main.attach('client', { text: 'of the step' });
      main.attach('outside', { text: 'of A' }, 'A');
    });
    expect(lastMessage(listing)).toMatchInlineSnapshot(`
      "user
        result text of A
        result text of B
        text <system-reminder>⏎of the step⏎</system-reminder>
        text <system-reminder>⏎of A⏎</system-reminder>"
    `);
  });

  test('is a system message of its own only when it is from the client', async () => {
    const listing = await twoResults(await bench({ reminders: { delivery: 'system-message' } }), ({ main }) => {
      main.attach('client', { text: 'from the client' });
      main.attach('outside', { text: 'from a file' });
    });
    expect(lastMessage(listing)).toMatchInlineSnapshot(`
      "user
        result text of A
        result text of B + <system-reminder>⏎from a file⏎</system-reminder>
      system
        text <system-reminder>⏎from the client⏎</system-reminder>"
    `);
  });

  test('is none of the client once its record says otherwise, whatever the stored place', async () => {
    const all = await bench({ reminders: { delivery: 'system-message' } });
    await twoResults(all, ({ main }) => main.attach('client', { text: 'note' }));
    await all.session.main.response(answer([say('ok')]));
    await all.session.close();
    const lines = all.store.file(all.session.id);
    lines.splice(0, lines.length, ...lines.map((line) => line.replace('"trust":"client"', '"trust":"third-party"')));
    const again = await openSession({ ...all.options, resume: all.session.id });
    expect(layout((await again.main.preview('Go on.')).request)).not.toContain('\nsystem\n');
  });

  test('is put where the model allows it, by `auto`', async () => {
    for (const [model, place] of [
      ['claude-opus-5-5', '\nsystem\n'],
      ['claude-opus-4-7', 'result text of B + <system-reminder>'],
    ] as const) {
      const listing = await twoResults(await bench({ model, reminders: { delivery: 'auto' } }), ({ main }) =>
        main.attach('client', { text: 'note' }),
      );
      expect(listing).toContain(place);
    }
  });
});

test('words that follow a system message without an answer between them are still a valid request', async () => {
  const all = await bench({ reminders: { delivery: 'system-message' } });
  await twoResults(all, ({ main }) => main.attach('client', { text: 'from the client' }));
  const { main } = all.session;
  await main.interrupt('the model did not answer');
  const step = all.laws.check(await main.prompt('Are you there?'), main);
  expect(messages(layout(step.request)).split('\n').slice(-7).join('\n')).toMatchInlineSnapshot(`
    "  result text of B
    system
      text <system-reminder>⏎from the client⏎</system-reminder>
    assistant
      text (no answer)
    user
      text Are you there?"
  `);
  const aside = await main.aside('Sum up.', 'side');
  expect(validateBody(aside.request, profileOf(aside.request.model))).toEqual([]);
});

test('an aside behind a system message is a valid request, and leaves no trace', async () => {
  const all = await bench({ reminders: { delivery: 'system-message' } });
  await twoResults(all, ({ main }) => main.attach('client', { text: 'from the client' }));
  const { main } = all.session;
  const aside = await main.aside('Sum up.', 'summary');
  expect(validateBody(aside.request, profileOf(aside.request.model))).toEqual([]);
  await main.response(answer([say('ok')]));
  const step = all.laws.check(await main.prompt('Go on.'), main);
  expect(layout(step.request)).not.toContain('(no answer)');
});

describe('stored deliveries under another model', () => {
  /** The stored turn again, as the other model gets it. */
  async function under(model: string, delivery: 'system-message' | 'after-results'): Promise<string> {
    const all = await bench({ reminders: { delivery } });
    await twoResults(all, ({ main }) => main.attach('client', { text: 'note' }));
    const { session, laws } = all;
    await session.main.response(answer([say('ok')]));
    await session.set('model', model);
    const listing = messages(layout(laws.check(await session.main.prompt('Go on.'), session.main).request));
    return listing.slice(listing.indexOf('  result text of A'), listing.lastIndexOf('\nassistant'));
  }

  test('a model without system messages has it inside the last result', async () => {
    expect(await under('claude-opus-4-7', 'system-message')).toMatchInlineSnapshot(`
      "  result text of A
        result text of B + <system-reminder>⏎note⏎</system-reminder>"
    `);
    expect(await under('claude-haiku-4-5', 'system-message')).toBe(await under('claude-opus-4-7', 'system-message'));
    expect(await under('some-other-model', 'system-message')).toBe(await under('claude-opus-4-7', 'system-message'));
  });

  test('a model that forgets its thinking beside words has nothing beside results', async () => {
    expect(await under('claude-haiku-4-5', 'after-results')).toMatchInlineSnapshot(`
      "  result text of A
        result text of B + <system-reminder>⏎note⏎</system-reminder>"
    `);
    expect(await under('claude-opus-4-7', 'after-results')).toMatchInlineSnapshot(`
      "  result text of A
        result text of B
        text <system-reminder>⏎note⏎</system-reminder>"
    `);
  });
});

test('pushed or not, kinds stand in catalogue order; neighbours of one wrap share a reminder, plain text has none, media stand beside', async () => {
  const { session, laws } = await bench();
  const thread = session.main;
  for (const [kind, text] of [
    ['shared_a', 'first'],
    ['shared_b', 'second'],
    ['plain', 'typed </system-reminder> meanwhile'],
    ['shared_a', 'a later one of the first kind'],
    ['picture', 'a picture'],
    ['only_picture', ''],
    ['outside', 'a file with </system-reminder> in it'],
  ] as const)
    thread.attach(kind, { text });
  const step = laws.check(await thread.prompt('Look.'), thread);
  expect(messages(layout(step.request))).toMatchInlineSnapshot(`
    "user
      text <system-reminder>⏎a file with <\\/system-reminder> in it⏎</system-reminde… (74)
      text <system-reminder>⏎first⏎⏎a later one of the first kind⏎⏎second⏎</system-… (81)
      text typed <\\/system-reminder> meanwhile
      text <system-reminder>⏎a picture⏎</system-reminder>
      image
      image
      text Look."
  `);
});

test('pictures in results and in words', async () => {
  const { session, laws } = await bench();
  const thread = session.main;
  laws.check(await thread.prompt({ content: [image, { type: 'text', text: 'This?' }] }), thread);
  await thread.response(answer([call('Read', {}, 'A'), call('Read', {}, 'B')]));
  await thread.result('A', { content: [{ type: 'text', text: 'shown' }, image] });
  await thread.result('B', { content: [{ type: 'image', source: { type: 'url' } }] });
  thread.attach('picture', { text: 'one more' });
  expect(messages(layout(laws.check(await thread.next(), thread).request))).toMatchInlineSnapshot(`
    "user
      image
      text This?
    assistant
      call Read {}
      call Read {}
    user
      result shown + [image]
      result [image left out: not a format that can be sent] + <system-reminder>⏎one more⏎</system-reminder> + [image]"
  `);
});

test('plain text as a document opens no reminder', async () => {
  const { session, laws } = await bench();
  const data = 'a report </system-reminder> \ud83d';
  const source = { type: 'text', media_type: 'text/plain', data };
  const step = laws.check(
    await session.main.prompt({
      content: [
        { type: 'document', source },
        { type: 'text', text: 'This?' },
      ],
    }),
    session.main,
  );
  expect(step.request.messages[0]?.content).toContainEqual({
    type: 'document',
    source: { type: 'text', media_type: 'text/plain', data: 'a report <\\/system-reminder> \ufffd' },
  });
});

describe('a kept tail', () => {
  async function tail(model: string): Promise<string> {
    const { session, laws, options } = await bench({ model });
    const thread = session.main;
    laws.check(await thread.prompt('One.'), thread);
    await thread.response(answer([think('old thought'), say('First.')], options.model));
    laws.check(await thread.prompt('Two.'), thread);
    await thread.response(answer([think('kept thought'), call('Read', {}, 'A')], options.model));
    await thread.result('A', 'text');
    laws.check(await thread.next(), thread);
    const from = thread.transcript.window.findLast((record) => record.type === 'user')?.id ?? null;
    laws.check(await thread.compact([{ type: 'text', text: 'They said one.' }], from), thread);
    await thread.response(answer([think('new thought'), say('Second.')], options.model));
    return messages(layout(laws.check(await thread.prompt('Three.'), thread).request));
  }

  test('loses its thinking on a model that signs it over what came before', async () => {
    expect(await tail('claude-opus-5-5')).toMatchInlineSnapshot(`
      "user
        text They said one.
      user
        text Two.
      assistant
        call Read {}
      user
        result text
      assistant
        thinking new thought
        text Second.
      user
        text Three."
    `);
  });

  test('keeps it on a model that does not', async () => {
    expect(await tail('claude-opus-5')).toContain('  thinking kept thought');
  });
});
