/** A search among five thousand tools, beside looking at the name and description of each of them once. */
import { searchTools } from '@sidenote/agent';
import { judge, judgeMedians } from '../report/figure.js';
import { besideFloor, quantile, timed } from '../timing/samples.js';

/** @import { Figure, Measured } from '../report/figure.js' */
/** @import { AnyTool } from '@sidenote/agent' */

const count = 5_000;
/** So many that the slowest hundredth is more than an accident. */
const rounds = 1_000;
const nouns = ['branch', 'issue', 'invoice', 'room', 'calendar', 'file', 'customer', 'build', 'message', 'report'];
const verbs = ['list', 'create', 'search', 'merge', 'delete', 'export', 'assign', 'archive'];

/** @returns {Promise<Figure[]>} */
export async function toolSearchFigures() {
  const tools = Array.from({ length: count }, (_, index) => toolOf(index));
  const texts = tools.map(({ spec }) => `${spec.name} ${spec.description}`);
  let round = 0;
  const words = () => `${verbs[round % verbs.length]} ${nouns[round++ % nouns.length]}`;
  const samples = await besideFloor(rounds, {
    value: () => timed(() => void searchTools(tools, words(), { most: 5 })),
    floor: () =>
      timed(() => {
        const wanted = words().split(' ');
        return void texts.filter((text) => wanted.some((word) => text.toLowerCase().includes(word)));
      }),
  });
  const name = `search among ${count.toLocaleString('en')} tools`;
  /** @type {Pick<Measured, 'unit' | 'limit'>} */
  const figure = { unit: 'ms', limit: { type: 'ratio', most: 3 } };
  const last = { value: quantile(samples.value, 0.99), floor: quantile(samples.floor, 0.99) };
  return [judgeMedians({ ...figure, name: `${name}, p50` }, samples), judge({ ...figure, name: `${name}, p99`, ...last })];
}

/** @param {number} index @returns {AnyTool} */
function toolOf(index) {
  const [verb, noun] = [verbs[index % verbs.length], nouns[(index >> 3) % nouns.length]];
  const description = `${verb} the ${noun} of a workspace, number ${index}; takes its name, and gives back what it holds now`;
  return {
    spec: { name: `mcp__server-${index % 40}__${verb}_${noun}_${index}`, description, input_schema: { type: 'object' } },
    access: 'read',
    parse: (input) => ({ ok: true, input }),
    title: () => '',
    run: async () => ({ content: [] }),
  };
}
