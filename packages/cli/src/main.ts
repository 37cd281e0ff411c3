#!/usr/bin/env node
/** Entry of the `sidenote` command. What needs no other module is answered before any is loaded. */
import manifest from '../package.json' with { type: 'json' };

const [first] = process.argv.slice(2);
if (first === '--version' || first === '-v') {
  process.stdout.write(`${manifest.version}\n`);
} else {
  process.stdout.write('usage: sidenote [--version] [--help]\n');
  process.exitCode = first === '--help' || first === '-h' ? 0 : 2;
}
