/** Ports for tests: counted ids, a plain hash, four characters a token. */
import type { Ports } from '../attachments/ports.js';
import { FakeClock } from './fake-clock.js';

let made = 0;

/** All that a session needs. Ids are unique in the process and look like uuids. */
export function testPorts(clock = new FakeClock()): Pick<Ports, 'clock' | 'ids' | 'digest' | 'tokens'> & Required<Pick<Ports, 'packing'>> {
  return {
    clock: clock.port(),
    ids: { next: () => `${(++made).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000` },
    digest: testDigest,
    tokens: (content) => content.reduce((sum, block) => sum + (block.type === 'text' ? Math.ceil(block.text.length / 4) : 1600), 0),
    packing: { pack: (text) => new TextEncoder().encode(text), unpack: (packed) => new TextDecoder().decode(packed) },
  };
}

/** 64 hex digits that differ for different texts; not for anything but tests. */
export function testDigest(text: string): string {
  return [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => fnv(text, seed).toString(16).padStart(8, '0')).join('');
}

function fnv(text: string, seed: number): number {
  let hash = (2_166_136_261 ^ Math.imul(seed, 0x9e3779b1)) >>> 0;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619) >>> 0;
  return hash;
}
