/** A wall clock that the bench moves, for a program under libfaketime. The monotonic clock stays the real one. */
import { existsSync, renameSync, writeFileSync } from 'node:fs';

/** Where packages put it; `FAKETIME_LIB` names another place. */
const places = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib', '/usr/local/lib'];

/** Path of the library; undefined: there is none. @returns {string | undefined} */
export function fakeTimeLibrary() {
  return [process.env['FAKETIME_LIB'] ?? '', ...places.map((place) => `${place}/faketime/libfaketime.so.1`)].find(
    (path) => path !== '' && existsSync(path),
  );
}

/**
 * @param {{ readonly library: string, readonly file: string, readonly start: string }} options `file` tells the time to
 * the program; `start` in UTC.
 */
export function wallClock({ library, file, start }) {
  let seconds = Date.parse(start) / 1000;
  const tell = () => {
    writeFileSync(`${file}.new`, `@${seconds}\n`);
    renameSync(`${file}.new`, file);
  };
  tell();
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_FMT: '%s',
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    /** @param {number} more Seconds. */
    advance(more) {
      seconds += more;
      tell();
    },
  };
}
