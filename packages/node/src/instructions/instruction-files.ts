/** The port behind project instructions: every instruction file that is told at the start, and why others are not. */
import type { InstructionFile, Ports } from '@sidenote/engine';
import { digestOf } from '../files/digest.js';
import { loadBase } from './base.js';
import type { Loaded } from './load.js';
import type { InstructionOptions } from './options.js';

/** Reads anew each time it is asked. Never rejects: a file that can't be read is a status. */
export function instructionFiles(options: InstructionOptions): NonNullable<Ports['instructions']> {
  return {
    async read() {
      const { files } = await loadBase(options);
      const value = files.filter(({ status }) => status !== 'off').map(plain);
      return {
        type: 'ready',
        value,
        version: digestOf(JSON.stringify(value.map(({ path, status, text, view }) => [path, status, view?.digest ?? text]))),
      };
    },
  };
}

/** A file as the engine knows it. */
export function plain({ scoped: _scoped, ...file }: Loaded): InstructionFile {
  return file;
}
