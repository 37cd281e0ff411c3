/** Hooks as a part of a session: run at its events, with what they say later told to the model or to the person. */
import { join } from 'node:path';
import { createHooks, projectFolder, projectRoot, type ConfiguredHook, type HookOutcome } from '@sidenote/node';
import { hookCondition } from './hook-condition.js';
import type { Part, PartOptions } from './part.js';

export type HookPartOptions = PartOptions & { readonly hooks: readonly ConfiguredHook[] };

/** Milliseconds that hooks beside the work have when the session ends. */
const LAST = 1_500;

export async function hookPart(options: HookPartOptions): Promise<Part> {
  const { setup, hooks, id, folder, isKept, permissions, tools } = options;
  const { io, configDir } = setup;
  const local = createHooks({
    hooks,
    cwd: io.cwd,
    env: io.env,
    projectDir: await projectRoot(io.cwd),
    session: { id, transcriptPath: isKept ? join(projectFolder({ cwd: io.cwd, configDir }), `${id}.jsonl`) : '' },
    folder,
    permissionMode: () => permissions.mode,
    meets: hookCondition({ cwd: io.cwd, home: io.home, tools }),
    late: (outcome, how) => void late(outcome, how, options),
  });
  return { agent: { hooks: local }, close: () => local.close(LAST) };
}

/** Texts go out with the next message; a hook that wakes opens a turn with what it objects to. */
async function late(
  { texts, blocks, notes }: HookOutcome,
  { wake }: { readonly wake: boolean },
  { session: opened, tell, news }: HookPartOptions,
): Promise<void> {
  for (const { level, text } of notes) if (level === 'warning') tell(text);
  const session = opened();
  if (session === undefined) return;
  try {
    for (const { kind: _kind, ...said } of texts) session.main.attach('async_hook_response', said);
    for (const said of blocks) {
      if (wake) await session.notify({ text: `The hook ${said.hook} objects: ${said.text}`, trust: 'third-party', wake: true });
      else session.main.attach('async_hook_response', said);
    }
    if (wake) news();
  } catch (error) {
    tell(String(error));
  }
}
