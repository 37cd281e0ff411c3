/** The scopes that `--setting-sources` leaves: of settings, of instruction files and of MCP servers. */
import { listed, type Flags } from '../flags/parse.js';
import { UsageError } from '../usage-error.js';

const SOURCES = ['user', 'project', 'local'] as const;

/** Default: all. @throws {UsageError} */
export function sourcesOf(flags: Flags): readonly (typeof SOURCES)[number][] {
  const given = listed(flags, 'setting-sources');
  const unknown = given?.find((name) => !SOURCES.some((source) => source === name));
  if (unknown !== undefined) throw new UsageError(`--setting-sources ${unknown}: use ${SOURCES.join(', ')}`);
  return given === undefined ? SOURCES : SOURCES.filter((source) => given.includes(source));
}
