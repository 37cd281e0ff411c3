// A hook for PostToolUse: objects when a JSON file was written that does not parse.
import { readFileSync } from 'node:fs';

const { tool_input: input } = JSON.parse(readFileSync(0, 'utf8'));
if (input.file_path.endsWith('.json')) {
  try {
    JSON.parse(readFileSync(input.file_path, 'utf8'));
  } catch (error) {
    console.error(`${input.file_path} is no JSON (${String(error)})`);
    process.exit(2);
  }
}
