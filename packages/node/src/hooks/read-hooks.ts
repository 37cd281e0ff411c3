/** Hooks of settings, entry by entry: what can be understood runs, and what can't is said and left out. */
import type { Json } from '@sidenote/engine';
import type { LoadedSettings, SettingOrigin, SettingsLayer } from '../settings/load-settings.js';
import { nearest } from '../settings/nearest.js';
import { EVENT_RULES, FOREIGN_EVENTS, HOOK_EVENTS, isHookEvent, type HookEventName } from './events.js';
import { isObject, type JsonObject } from './json.js';
import { matcherOf } from './matcher.js';
import { readHandler, type Handler } from './read-handler.js';

/** One handler of one entry. */
export type ConfiguredHook = {
  readonly event: HookEventName;
  /** As it was written; empty: everything. */
  readonly matcher: string;
  matches(subject: string | undefined): boolean;
  readonly handler: Handler;
  /** Path of the settings file, and the layer that it is. */
  readonly file: string;
  readonly layer: SettingsLayer;
};

export type HookOrigin = Pick<SettingOrigin, 'file' | 'layer'>;

export type ReadHooks = {
  readonly hooks: readonly ConfiguredHook[];
  /** One line each, for a person. */
  readonly problems: readonly string[];
};

/** Those of all layers, the higher ones first. Never throws. */
export function readHooks({ settings, origins }: Pick<LoadedSettings, 'settings' | 'origins'>): ReadHooks {
  const problems: string[] = [];
  const hooks = readHookTable(settings.hooks ?? {}, {
    originOf: (event, index) => origins.get(`hooks.${event}.${index}`) ?? { file: 'settings', layer: 'user' },
    report: ({ file }, what) => problems.push(`${file}: ${what}`),
  });
  return { hooks, problems };
}

export type TableOptions = {
  /** Where an entry stands. */
  originOf(event: string, index: number): HookOrigin;
  /** One line about an entry, without its file. */
  report(origin: HookOrigin, what: string): void;
};

/** A table of hooks by event, wherever it was written. Never throws. */
export function readHookTable(table: Readonly<Record<string, Json>>, { originOf, report }: TableOptions): readonly ConfiguredHook[] {
  const say = (origin: HookOrigin, what: string): void => report(origin, what.replaceAll(/\s+/g, ' '));
  return Object.entries(table).flatMap(([event, entries]) => {
    if (!isHookEvent(event)) {
      say(originOf(event, 0), `"hooks.${event}": ${unknownEvent(event)}`);
      return [];
    }
    if (!Array.isArray(entries)) {
      say(originOf(event, 0), `"hooks.${event}" is no list; it was left out`);
      return [];
    }
    return (entries as readonly Json[]).flatMap((entry, index) => {
      const origin = originOf(event, index);
      return readEntry(event, entry, origin, (what) => say(origin, `a hook for ${event} ${what}`));
    });
  });
}

function unknownEvent(event: string): string {
  if (FOREIGN_EVENTS.includes(event)) return 'this event does not happen here; the hooks for it have no effect';
  const near = nearest(event, HOOK_EVENTS);
  return `there is no such event${near === undefined ? '' : `; did you mean "${near}"?`}`;
}

function readEntry(
  event: HookEventName,
  entry: Json,
  { file, layer }: HookOrigin,
  report: (what: string) => void,
): readonly ConfiguredHook[] {
  if (!isObject(entry)) {
    report('must be an object with a list "hooks"; it was left out');
    return [];
  }
  const matcher = matcherText(event, entry, report);
  const matching = matcherOf(matcher);
  if (!matching.ok) {
    report(`has a matcher that is no regular expression (${matching.why}); it was left out`);
    return [];
  }
  return handlersIn(entry, report).flatMap((handler) => {
    const read = readHandler(handler, { limitMs: EVENT_RULES[event].limitMs, report });
    return read === undefined ? [] : [{ event, matcher, matches: (subject) => matching.matches(subject), handler: read, file, layer }];
  });
}

function matcherText(event: HookEventName, { matcher }: JsonObject, report: (what: string) => void): string {
  if (matcher === undefined || matcher === '' || matcher === '*') return '';
  if (typeof matcher !== 'string') {
    report('has a matcher that is no string; it runs for everything');
    return '';
  }
  if (EVENT_RULES[event].matches !== null) return matcher;
  report(`has the matcher "${matcher}", which this event does not take; it runs every time`);
  return '';
}

/** The list of the entry; an entry that is a handler itself counts as a list of one. */
function handlersIn(entry: JsonObject, report: (what: string) => void): readonly Json[] {
  if (Array.isArray(entry['hooks'])) return entry['hooks'] as readonly Json[];
  if (entry['hooks'] === undefined && typeof entry['type'] === 'string') {
    report('stands outside of a list "hooks": [{"hooks": [{"type": …}]}]; it is used all the same');
    return [entry];
  }
  report('has no list "hooks"; it was left out');
  return [];
}
