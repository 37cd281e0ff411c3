import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { Inbox } from './inbox.js';
import type { PromptLine } from './prompt-line.js';

const line = (text: string): PromptLine => ({ type: 'prompt', content: [{ type: 'text', text }] });

it('gives prompts in the order they came, puts taken ones back in front, and leaves nothing on the signal', async () => {
  const { signal } = new AbortController();
  let send: (line: PromptLine) => void = () => {};
  const inbox = Inbox.of(
    (async function* () {
      for (let count = 0; count < 20; count++) yield await new Promise<PromptLine>((resolve) => (send = resolve));
    })(),
  );
  for (let count = 0; count < 20; count++) {
    const next = inbox.next(signal);
    await Promise.resolve();
    send(line(`words ${count}`));
    expect(await next).toEqual(line(`words ${count}`));
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  inbox.putBack([line('again')]);
  expect(await inbox.next(signal)).toEqual(line('again'));
  expect(await inbox.next(signal)).toBeUndefined();
});

it('stops waiting when the signal fires', async () => {
  const ending = new AbortController();
  const next = Inbox.of(
    (async function* () {
      await new Promise(() => {});
      yield line('never');
    })(),
  ).next(ending.signal);
  ending.abort();
  expect(await next).toBeUndefined();
});
