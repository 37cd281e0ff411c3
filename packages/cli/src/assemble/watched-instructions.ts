/** Tells a person which instruction files were left out, while the model gets the others. Each line once. */
import type { InstructionFile, Ports } from '@sidenote/engine';

/** Files that are told, now or when their paths are touched. */
const TOLD: readonly string[] = ['loaded', 'scoped'];
/** Left out in the ordinary course of things: said only on request. */
const ORDINARY: readonly string[] = ['shadowed', 'empty'];

export type Watched = Pick<Ports, 'instructions' | 'nested'>;

export function watchInstructions(ports: Watched, options: { readonly verbose: boolean; tell(line: string): void }): Watched {
  const said = new Set<string>();
  const tell = ({ path, status, reason }: InstructionFile): void => {
    if (TOLD.includes(status) || (ORDINARY.includes(status) && !options.verbose)) return;
    const line = `${path} is not told to the model: ${status} (${reason})`;
    if (said.has(line)) return;
    said.add(line);
    options.tell(line);
  };
  const { instructions, nested } = ports;
  return {
    ...(instructions === undefined
      ? {}
      : {
          instructions: {
            async read(signal) {
              const reading = await instructions.read(signal);
              if (reading.type === 'ready') reading.value.forEach(tell);
              return reading;
            },
          },
        }),
    ...(nested === undefined
      ? {}
      : {
          nested: {
            async below(paths, signal) {
              const files = await nested.below(paths, signal);
              files.forEach(tell);
              return files;
            },
          },
        }),
  };
}
