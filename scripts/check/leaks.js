/** What has no place in a public repository: secrets, paths of somebody's machine, and download addresses in the lockfile. */
import { root } from '../workspace.js';
import { readText, trackedFiles } from './tracked.js';

/** @import { Verdict } from '../verdict.js' */

const patterns = [
  { what: 'a path of a machine', pattern: /(?<![\w.~-])\/(?:work|Users|root)\/\w[\w./-]*/g },
  // Made-up homes of tests are all right.
  { what: 'a home folder', pattern: /(?<![\w.~-])\/home\/(?!(?:me|you|user|ada|sam)\b)\w[\w./-]*/g },
  {
    what: 'an API key',
    pattern: /\b(?:sk-(?:ant|proj)-[\w-]{16,}|gh[pousr]_\w{30,}|github_pat_\w{30,}|AKIA[0-9A-Z]{16}|npm_\w{30,}|xox[abp]-[\w-]{20,})/g,
  },
  { what: 'a private key', pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/g },
  { what: 'a password in an address', pattern: /\bhttps?:\/\/[^\s/:@'"`$]+:[^\s/@'"`$]+@[\w.-]+/g },
];

/** @param {string} [base] @returns {Verdict} */
export function checkLeaks(base = root) {
  const files = trackedFiles(base);
  const details = files.flatMap((path) => {
    const text = readText(base, path);
    return text === null ? [] : leaks(path, text);
  });
  return { ok: details.length === 0, summary: `${files.length} files looked through`, details };
}

/** @param {string} path @param {string} text */
function leaks(path, text) {
  const known =
    path === 'package-lock.json' ? [...patterns, { what: 'a download address', pattern: /"resolved": "https?:[^"]*"/g }] : patterns;
  return known.flatMap(({ what, pattern }) =>
    [...text.matchAll(pattern)].map((hit) => `${path}:${text.slice(0, hit.index).split('\n').length}: ${what}: ${hit[0].slice(0, 60)}`),
  );
}
