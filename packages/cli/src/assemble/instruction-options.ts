/** What settings and flags tell the search for instruction files; the session, the dry run and the lint share it. */
import { createPermissions, type RulePermissions } from '@sidenote/agent';
import {
  explainInstructions,
  explainMemories,
  localInstructions,
  projectState,
  type ExplainedFile,
  type LocalPortsOptions,
} from '@sidenote/node';
import { listed } from '../flags/parse.js';
import { directoriesOf, permissionOptions } from './permission-options.js';
import type { Setup } from './set-up.js';
import { sourcesOf } from './setting-sources.js';

type Instructions = NonNullable<LocalPortsOptions['instructions']>;

/** For a model's window: a larger one bears larger files. */
export function portOptions(setup: Setup, model: string): LocalPortsOptions {
  const { io, configDir, loaded, bare, flags, externalImports, memories } = setup;
  const { claudeMdExcludes = [], instructions = {} } = loaded.settings;
  const excludes = claudeMdExcludes.map((glob, index) => {
    const file = loaded.origins.get(`claudeMdExcludes.${index}`)?.file;
    return file === undefined ? glob : { glob, file };
  });
  const managed = managedText(setup);
  let permissions: RulePermissions | undefined;
  return {
    cwd: io.cwd,
    home: io.home,
    env: io.env,
    configDir,
    excludes: () => excludes,
    ...(memories.off === undefined && memories.delivery === 'instructions' ? { memory: memories.places } : {}),
    // What was answered for the session's directory holds for a copy of it too, in which an agent works.
    externalImports: async () => externalImports ?? (await projectState({ cwd: io.cwd, configDir })).externalImports ?? 'unasked',
    instructions: {
      ...instructions,
      bare,
      // What the command line names counts in a bare run too; what settings name does not.
      directories: bare ? (listed(flags, 'add-dir') ?? []) : directoriesOf(setup),
      mayRead: (path) => (permissions ??= createPermissions({ ...permissionOptions(setup), mode: 'default' })).mayRead(path),
      window: () => setup.profile(model).window,
      ...(bare ? {} : { sources: sourcesOf(flags) }),
      ...(managed === undefined ? {} : { managed: { text: managed } }),
    },
  };
}

/** Every candidate for instructions, then every memory, each with its status and why. */
export async function explainFiles(setup: Setup, model: string): Promise<readonly ExplainedFile[]> {
  const { places, off, delivery } = setup.memories;
  const files = await explainInstructions(localInstructions(portOptions(setup, model)));
  return [...files, ...explainMemories(places, { off, indexes: delivery === 'recall' ? 'recalled' : 'told' })];
}

/** The setting `claudeMd` counts only where the organisation's own settings hold it. */
function managedText({ loaded }: Setup): NonNullable<Instructions['managed']>['text'] {
  const text = loaded.settings.claudeMd;
  const origin = loaded.origins.get('claudeMd');
  return text !== undefined && origin?.layer === 'managed' ? { text, file: origin.file } : undefined;
}
