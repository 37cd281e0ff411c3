import { defineAttachment, lastOf } from '@sidenote/engine';

/** Tells the model which release train is open, once, and again only when that changes. */
export function releaseTrain(current: () => Promise<string | null>) {
  return defineAttachment({
    kind: 'release_train',
    version: 1,
    group: 'thread',
    wait: 'may', // a late answer never holds up a request: it comes with the next message
    trust: 'client',
    needs: [],
    told: lastOf('release_train', (data: { train: string }) => data.train),
    decode: (data) => (typeof data === 'object' && data !== null && 'train' in data ? data : undefined),
    async collect(_moment, told) {
      const train = await current();
      if (train === null) return { type: 'unavailable', why: 'the release calendar did not answer' };
      return train === told.value ? { type: 'nothing' } : { type: 'new', data: { train } };
    },
    render: ({ train }) => ({ content: [{ type: 'text', text: `The open release train is ${train}.` }] }),
    title: ({ train }) => `release train ${train}`,
    reason: () => 'not told yet, or changed since',
  });
}
