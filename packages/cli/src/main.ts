#!/usr/bin/env node
/** Entry of the `sidenote` command. What needs no other module is answered before any is loaded. */
import { VERSION } from './version.js';

const args = process.argv.slice(2);
const asked = (long: string, short: string): boolean => args.length === 1 && (args[0] === long || args[0] === short);
// Nobody reads on, or a disk is full: no reason to show a trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exitCode = error.code === 'EPIPE' ? 0 : 1;
});
if (asked('--version', '-v')) process.stdout.write(`${VERSION}\n`);
else if (asked('--help', '-h')) void import('./help.js').then(({ help }) => process.stdout.write(help()));
else void import('./start/start.js').then(({ start }) => start(import.meta.dirname, args));
