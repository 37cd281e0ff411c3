/** What the setting `attachments` says of single kinds: the options of each, and what of it says nothing. */
import { builtInKinds, type Json } from '@sidenote/engine';
import { nearest, type LoadedSettings } from '@sidenote/node';

type Options = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** Of kinds whose setting is an object. */
export function kindOptions({ settings }: Pick<LoadedSettings, 'settings'>): Options {
  const entries = Object.entries(settings.attachments ?? {});
  return Object.fromEntries(entries.filter((entry): entry is [string, Options[string]] => typeof entry[1] === 'object'));
}

/** One line each, for the person. */
export function optionProblems({ settings }: Pick<LoadedSettings, 'settings'>): readonly string[] {
  const kinds = builtInKinds.map(({ kind }) => kind);
  const unknown = Object.keys(settings.attachments ?? {}).filter((kind) => !kinds.includes(kind));
  const without = Object.entries(kindOptions({ settings })).flatMap(([kind, given]) => {
    const { options = [] } = builtInKinds.find((one) => one.kind === kind) ?? {};
    const idle = kinds.includes(kind) ? Object.keys(given).filter((name) => !options.includes(name)) : [];
    return idle.map((name) => {
      const near = nearest(name, options);
      const has = options.length === 0 ? 'the kind is on or off' : `there are ${options.join(', ')}`;
      return `the setting attachments.${kind}.${name} has no effect: ${near === undefined ? has : `did you mean ${near}?`}`;
    });
  });
  return [
    ...without,
    ...unknown.map((kind) => {
      const near = nearest(kind, kinds);
      return `the setting attachments.${kind} names no kind of context${near === undefined ? `; there are ${kinds.join(', ')}` : `: did you mean ${near}?`}`;
    }),
  ];
}
