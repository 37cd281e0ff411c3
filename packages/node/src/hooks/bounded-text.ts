/** Text that is read from outside, kept up to a limit: what comes behind is counted and dropped, so nothing fills the memory. */
import { StringDecoder } from 'node:string_decoder';

/** Characters of one stream that are kept. */
export const KEPT = 1024 * 1024;
/** Bytes after which a stream counts as endless. */
export const ENDLESS = 64 * 1024 * 1024;

/** Identity: what has come so far. */
export class BoundedText {
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #bytes = 0;

  /** Bytes that are no UTF-8 become U+FFFD. */
  add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#text.length < KEPT) this.#text += this.#decoder.write(bytes);
  }

  get text(): string {
    return this.#text.length <= KEPT ? this.#text : this.#text.slice(0, KEPT).toWellFormed();
  }

  /** Part of it was dropped. */
  get isCut(): boolean {
    return this.#text.length >= KEPT;
  }

  get isEndless(): boolean {
    return this.#bytes > ENDLESS;
  }
}
