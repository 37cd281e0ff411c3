/** `npm run check [-- name…]`: everything a machine can say about the repository; exit 1 if it has one complaint. */
import { build } from './build.js';
import { checkArrows } from './check/arrows.js';
import { checkLeaks } from './check/leaks.js';
import { checkPages } from './check/pages.js';
import { checkPublished } from './check/published.js';
import { checkSizes } from './check/sizes.js';
import { checkStartup } from './check/startup.js';
import { command } from './verdict.js';

/** @import { Verdict } from './verdict.js' */

/** @type {Record<string, () => Verdict | Promise<Verdict>>} */
const checks = {
  format: () => command('node_modules/oxfmt/bin/oxfmt', ['--check', '.']),
  lint: () => command('node_modules/oxlint/bin/oxlint', ['--deny-warnings']),
  types: () => command('node_modules/ts7/bin/tsc', ['--noEmit', '-p', 'tsconfig.json']),
  // As in a project that is strict and no stricter.
  examples: () => command('node_modules/ts7/bin/tsc', ['--noEmit', '-p', 'examples']),
  arrows: checkArrows,
  'dead code': () => command('node_modules/knip/bin/knip.js', ['--no-progress']),
  sizes: checkSizes,
  pages: checkPages,
  leaks: checkLeaks,
  published: onceBuilt(checkPublished),
  startup: onceBuilt(checkStartup),
};

/** @param {() => Verdict | Promise<Verdict>} check @returns {() => Promise<Verdict>} */
function onceBuilt(check) {
  return async () => {
    const { failed } = await build();
    if (failed.length === 0) return check();
    return { ok: false, summary: 'not built', details: failed.map(({ name, why }) => `${name}: ${why}`) };
  };
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in checks));
if (unknown.length > 0) {
  console.error(`no check named ${unknown.join(', ')}; there are: ${Object.keys(checks).join(', ')}`);
  process.exit(2);
}

const failed = [];
for (const [name, check] of Object.entries(checks)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const started = performance.now();
  const { ok, summary, details = [] } = await check();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(10)} ${seconds.padStart(5)} s  ${summary}`);
  for (const line of details) console.log(`       ${line}`);
  if (!ok) failed.push(name);
}
console.log(failed.length === 0 ? 'check: all ok' : `check: ${failed.length} failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
