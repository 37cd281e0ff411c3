/**
 * `node bench/count-error.js FILE...`: how far the count of a window is from what providers reported, on transcripts that `readPublic`
 * reads. Per answer after the third of a file: the error beside the whole input, and beside what the input grew by since the answer before.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { countWindow, publicRecords, readPublic } from '@sidenote/engine';
import { estimateTokens } from '@sidenote/node';

/** @import { ChainRecord, Fold, Usage } from '@sidenote/engine' */
/** @typedef {{ readonly whole: number, readonly grown: number, readonly isKnown: boolean }} Off */

const input = (/** @type {Usage} */ usage) =>
  usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);

/** What a log is to a count: each record is stepped through once, and the window begins anew with a boundary. */
class Read {
  /** @type {ChainRecord[]} */ chain = [];
  /** @type {ChainRecord[]} */ window = [];
  epoch = 0;
  /** @type {Map<Fold<never>, { epoch: number, at: number, value: unknown }>} */ #folds = new Map();

  add(/** @type {ChainRecord} */ record) {
    if (record.type === 'compact_boundary') {
      this.window = [];
      this.epoch++;
    }
    this.chain.push(record);
    this.window.push(record);
  }

  /** @template S @param {Fold<S>} fold @returns {S} */
  read(fold) {
    const key = /** @type {Fold<never>} */ (/** @type {unknown} */ (fold));
    const [records, epoch] = fold.scope === 'window' ? [this.window, this.epoch] : [this.chain, 0];
    let state = this.#folds.get(key);
    if (state === undefined || state.epoch !== epoch) this.#folds.set(key, (state = { epoch, at: 0, value: fold.initial() }));
    for (const record of records.slice(state.at)) {
      state.at++;
      if (fold.on.includes(record.type)) state.value = fold.step(/** @type {S} */ (state.value), record);
    }
    return /** @type {S} */ (state.value);
  }
}

/** @returns {Promise<readonly Off[]>} */
async function errorsIn(/** @type {string} */ file) {
  const records = publicRecords(await readPublic(createInterface({ input: createReadStream(file) })), 'thread');
  /** @type {Off[]} */
  const found = [];
  const log = new Read();
  let answers = 0;
  /** @type {Extract<ChainRecord, { type: 'assistant' }> | undefined} */
  let last;
  let hasHidden = false;
  for (const record of records) {
    if (record.type === 'prefix' || record.type === 'compact_boundary') last = undefined;
    if (record.type === 'attachment' && record.content.length === 0) hasHidden = true;
    if (record.type === 'assistant' && input(record.message.usage) > 0) {
      const reported = input(record.message.usage);
      const grown = reported - (last === undefined ? reported : input(last.message.usage));
      if (++answers > 3 && last !== undefined && grown > 0) {
        const off = Math.abs(countWindow(log, estimateTokens).tokens - reported);
        found.push({ whole: off / reported, grown: off / grown, isKnown: !hasHidden && isFinal(last) });
      }
      last = record;
      hasHidden = false;
    }
    log.add(record);
  }
  return found;
}

/** False for usage that was reported while the answer was still being written, as older clients stored it. */
function isFinal(/** @type {Extract<ChainRecord, { type: 'assistant' }>} */ { message }) {
  return message.usage.output_tokens >= estimateTokens([{ type: 'text', text: message.content.map(wordsOf).join('') }]) / 2;
}

function wordsOf(/** @type {object} */ block) {
  if ('text' in block) return String(block.text);
  if ('thinking' in block) return String(block.thinking);
  return 'input' in block ? JSON.stringify(block.input) : '';
}

function line(/** @type {string} */ name, /** @type {readonly number[]} */ errors) {
  const sorted = errors.toSorted((a, b) => a - b);
  const at = (/** @type {number} */ share) => `${((sorted[Math.floor(sorted.length * share)] ?? 0) * 100).toFixed(2)} %`;
  console.log(`${name.padEnd(52)} ${String(errors.length).padStart(5)}   p50 ${at(0.5)}   p90 ${at(0.9)}`);
}

const all = (await Promise.all(process.argv.slice(2).map(errorsIn))).flat();
const known = all.filter(({ isKnown }) => isKnown);
line(
  'of the whole input',
  all.map(({ whole }) => whole),
);
line(
  'of what it grew by',
  all.map(({ grown }) => grown),
);
line(
  '… where all text and usage is in the file',
  known.map(({ grown }) => grown),
);
line(
  '… were those counted without any error',
  all.map(({ grown, isKnown }) => (isKnown ? 0 : grown)),
);
