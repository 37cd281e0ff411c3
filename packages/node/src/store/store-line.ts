/** What the store's tests write: line `number` is readable only when it is whole. */
export function lineOf(number: number, size: number): string {
  return JSON.stringify({ number, text: 'ab🧊'.repeat(Math.ceil(size / 6)), end: number });
}
