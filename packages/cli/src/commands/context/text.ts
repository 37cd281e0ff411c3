/** The context view as text: plain characters, so that it reads the same on a screen, in a pipe and in a report. */
import { countText, inputTokens } from '@sidenote/engine';
import { inside } from '../../inside.js';
import { reportLine } from '../../notices.js';
import { broken, fit } from '../rows.js';
import { barLines, ownerLines, share } from './bars.js';
import type { Amount, ContextView, DryContext, FileItem, Item } from './view.js';

/** Where the words of a row begin. */
const SAYS = 46;

function layerRows(layer: ContextView['layer']): string[] {
  if (layer === null || (layer.won === 'base' && layer.lost.length === 0 && !layer.proactive)) return [];
  const lost = layer.lost.length === 0 ? '' : `, instead of ${layer.lost.join(' and ')}`;
  return [`  of the layer ${layer.won}${lost}${layer.proactive ? '; proactive' : ''}`];
}

/** What failed, was late or cut, each with its reason; of what is off the names alone, since most of it has nothing to tell here. */
function absentRows(absent: ContextView['absent'], verbose: boolean): string[] {
  if (absent.length === 0) return [];
  const isNamed = ({ outcome }: ContextView['absent'][number]): boolean => outcome === 'off' && !verbose;
  const names = absent.filter(isNamed).map(({ kind }) => kind.replaceAll('_', ' '));
  const lines = absent.filter((one) => !isNamed(one)).map((one) => `  ${reportLine(one)}`);
  return ['', 'Not there', ...lines, ...(names.length === 0 ? [] : [`  off: ${names.join(', ')}`])];
}

/** Instruction files of a request that was sent; a dry run lists all candidates instead. */
function toldFiles(view: ContextView | DryContext, cwd: string): string[] {
  const files = 'files' in view ? [] : view.analysis.parts.flatMap((part) => part.files);
  if (files.length === 0) return [];
  return [
    '',
    'Instruction files that were told',
    ...files.map(({ path, tokens }) => `  ${inside(path, cwd)} ≈${countText(tokens)} tokens`),
  ];
}

export type ContextTextOptions = {
  readonly width: number;
  /** The working directory: paths inside it are shown without it. */
  readonly cwd: string;
  /** Names the reason for each kind that is off. Default: false. */
  readonly verbose?: boolean;
};

/** Lines no longer than `width` columns. */
export function contextText(view: ContextView | DryContext, { cwd, ...options }: ContextTextOptions): string {
  const width = Math.max(60, options.width);
  const columns = (name: string, characters: string, tokens: string, says = ''): string =>
    `${name.padEnd(SAYS - 20)} ${characters.padStart(8)} ${tokens.padStart(8)}  ${says}`;
  const sum = (name: string, amount: Amount, says?: string): string =>
    columns(name, countText(amount.characters), `≈${countText(amount.tokens)}`, says);
  const row = (item: Item, says: string): string => sum(`  ${item.name}`, item, says);
  const list = (title: string, items: readonly Item[]): string[] =>
    items.length === 0 ? [] : ['', columns(title, 'chars', 'tokens'), ...items.map((item) => row(item, item.says))];
  const { reminders, messages, reported } = view;
  const { files, hooks } = 'files' in view ? view : { files: [], hooks: [] };
  const told = (place: FileItem['place']): readonly FileItem[] => files.filter((file) => file.place === place);
  const fileRows = (title: string, rows: readonly FileItem[]): string[] =>
    rows.length === 0
      ? []
      : [
          '',
          title,
          ...rows.flatMap((file) =>
            broken(
              `  ${file.status.padEnd(10)} ${file.scope.padEnd(9)} ${countText(file.characters).padStart(7)} chars  ${inside(file.path, cwd)}: ${inside(file.reason, cwd)}`,
              width,
              SAYS,
            ),
          ),
        ];
  const head = [
    `${view.model}: ${view.analysis.by === 'reported' ? '' : '≈'}${countText(view.tokens)} of ${countText(view.window)} tokens (${share(view.tokens, view.window)}), ${countText(view.characters)} characters`,
    ...(reported === null
      ? []
      : [
          `last request, as counted by its provider: ${countText(inputTokens(reported))} tokens in, ${countText(reported.output_tokens)} out`,
          `  of these ${countText(reported.cache_read_input_tokens ?? 0)} read from cache, ${countText(reported.cache_creation_input_tokens ?? 0)} written to it`,
        ]),
  ];
  const lines = [
    ...head.flatMap((line) => broken(line, width, 4)),
    '',
    ...barLines(view.analysis, width),
    '',
    ...ownerLines(view.analysis),
    ...toldFiles(view, cwd),
    ...list('System sections', view.sections),
    ...layerRows(view.layer),
    ...list(`Tools (${view.tools.length})`, view.tools),
    ...fileRows('Instruction files, the later ones count', told('told')),
    ...fileRows('Waiting for a file or a prompt that they are for', told('waiting')),
    ...fileRows('Instruction files that are not told', told('absent')),
    ...(hooks.length === 0
      ? []
      : [
          '',
          'Hooks in settings, not run here',
          ...hooks.map(({ event, runs, file, reason }) => `  ${event}: ${runs} (${inside(file, cwd)}); ${reason}`),
        ]),
    '',
    sum(`Injected (${reminders.kinds.length})`, reminders),
    ...reminders.kinds.flatMap((item) => broken(row(item, inside([item.says, item.reason].filter(Boolean).join(': '), cwd)), width, SAYS)),
    '',
    sum(`Messages beside it (${messages.count})`, messages),
    ...absentRows(view.absent, options.verbose ?? false).flatMap((row) => broken(inside(row, cwd), width, 4)),
  ];
  return lines.map((line) => fit(line.trimEnd(), width)).join('\n');
}
