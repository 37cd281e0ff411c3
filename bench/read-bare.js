/** `node read-bare.js FILE`: reads a file line by line and parses each: the least that a resume can do. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

const [file = ''] = process.argv.slice(2);
for await (const line of createInterface({ input: createReadStream(file) })) JSON.parse(line);
