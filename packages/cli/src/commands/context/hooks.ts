/** Hooks of settings, for views that run none. */
import { handlerName, type ConfiguredHook } from '@sidenote/node';

export type HookItem = {
  readonly event: string;
  /** The command or the address, cut. */
  readonly runs: string;
  readonly file: string;
  /** When it would run. */
  readonly reason: string;
};

/** In the order in which settings hold them. */
export function hookItems(hooks: readonly ConfiguredHook[]): readonly HookItem[] {
  return hooks.map(({ event, matcher, handler, file }) => {
    const { condition, limitMs, beside, once } = handler;
    const when = [matcher, condition].filter((part) => part !== undefined && part !== '').join(' and ');
    const how = [...(once ? ['once'] : []), beside === 'no' ? `at most ${limitMs / 1_000} s` : 'beside the work'];
    return { event, runs: handlerName(handler), file, reason: `would run${when === '' ? '' : ` for ${when}`}, ${how.join(', ')}` };
  });
}
