/** Three tools of one's own for the embedding example. What they showed of files goes back as effects. */
import { exec } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Blobs, ToolCall, ToolOutcome, ToolSpec } from '@sidenote/engine';
import { viewed } from '@sidenote/node';

export const tools: ToolSpec[] = [
  tool('read_file', 'Gives the text of a file.', ['path']),
  tool('write_file', 'Makes the text of a file what is given.', ['path', 'text']),
  tool('run_command', 'Runs a shell command and gives its output.', ['command']),
];

function tool(name: string, description: string, required: string[]): ToolSpec {
  const properties = Object.fromEntries(required.map((key) => [key, { type: 'string' }]));
  return { name, description, input_schema: { type: 'object', properties, required } };
}

/** Runs one call. Failures are results too: the model reads what went wrong and goes on. */
export async function run(call: ToolCall, blobs: Blobs): Promise<ToolOutcome> {
  try {
    switch (call.name) {
      case 'read_file': {
        const path = input(call, 'path');
        return { ...text(await readFile(path, 'utf8')), effects: [await viewed(path, blobs)] };
      }
      case 'write_file': {
        const path = input(call, 'path');
        await writeFile(path, input(call, 'text'));
        return { ...text(`wrote ${path}`), effects: [await viewed(path, blobs)] };
      }
      case 'run_command': {
        const { stdout, stderr } = await promisify(exec)(input(call, 'command'));
        return text(`${stdout}${stderr}` || 'no output');
      }
      default:
        return { ...text(`there is no tool ${call.name}`), isError: true };
    }
  } catch (error) {
    return { ...text(String(error)), isError: true };
  }
}

function text(words: string): ToolOutcome {
  return { content: [{ type: 'text', text: words }] };
}

function input(call: ToolCall, key: string): string {
  const value: unknown = Object(call.input)[key];
  if (typeof value !== 'string') throw new TypeError(`${call.name} needs a string ${key}`);
  return value;
}
