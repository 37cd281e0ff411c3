/** Settings that are written while a session runs: rules that deny or ask count at once, and of the rest the person is told. */
import { parseRule, type LaterRules, type RuleText } from '@sidenote/agent';
import { stampOf, type LoadedSettings } from '@sidenote/node';
import { inside } from '../inside.js';
import { settingsRules } from './permission-options.js';
import { settingsLine, type Setup } from './set-up.js';

type Options = { readonly setup: Pick<Setup, 'loaded' | 'reload' | 'io'>; readonly tell: (line: string) => void };

/**
 * Looks at the stats of all settings files, and reads them where one moved. What would allow more waits for the next start: the
 * model may have written it. What was denied stays denied, and what can't be read is told.
 */
export function laterRules({ setup, tell }: Options): () => Promise<LaterRules> {
  const { loaded, io } = setup;
  const stamps = new Map(loaded.files);
  const known = { deny: new Set(settingsRules(loaded, 'deny').map(keyOf)), ask: new Set(settingsRules(loaded, 'ask').map(keyOf)) };
  const told = new Set(loaded.warnings.map(settingsLine));
  let last = JSON.stringify(loaded.settings);
  let rules: Required<LaterRules> = { deny: [], ask: [] };
  let reading: Promise<LaterRules> | undefined;

  const added = (fresh: LoadedSettings, list: 'deny' | 'ask'): readonly RuleText[] => {
    const news = settingsRules(fresh, list).filter((rule) => !known[list].has(keyOf(rule)));
    for (const rule of news) {
      known[list].add(keyOf(rule));
      const parsed = parseRule(rule, list, io);
      if (!parsed.ok) tell(parsed.message);
    }
    return [...rules[list], ...news];
  };
  const read = async (moved: readonly string[]): Promise<LaterRules> => {
    const fresh = await setup.reload();
    for (const line of fresh.warnings.map(settingsLine).filter((one) => !told.has(one))) {
      told.add(line);
      tell(line);
    }
    const now = JSON.stringify(fresh.settings);
    if (now === last) return rules;
    last = now;
    rules = { deny: added(fresh, 'deny'), ask: added(fresh, 'ask') };
    const names = moved.map((file) => inside(file, io.cwd)).join(', ');
    tell(`settings were changed (${names}): rules that deny or ask count from now on, all else at the next start`);
    return rules;
  };

  return () => {
    if (reading !== undefined) return reading;
    const moved = [...stamps.keys()].filter((file) => stamps.get(file) !== stampOf(file));
    if (moved.length === 0) return Promise.resolve(rules);
    for (const file of moved) stamps.set(file, stampOf(file));
    reading = read(moved).finally(() => (reading = undefined));
    return reading;
  };
}

const keyOf = (rule: RuleText): string => JSON.stringify(rule);
