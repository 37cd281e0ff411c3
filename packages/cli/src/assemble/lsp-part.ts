/** Language servers as a part of a session: what they see of the files that the model writes. Only in a directory that is trusted: they run its code. */
import { createLanguageServers, readServers, systemClock } from '@sidenote/node';
import type { Part, PartOptions } from './part.js';

/** Nothing runs before a file of their languages is touched. */
export function lspPart({ setup, tell }: PartOptions): Part {
  const { io, loaded, trusted, bare, off } = setup;
  if (!trusted || bare || off['lsp_diagnostics'] !== undefined) return {};
  const servers = readServers(loaded.settings.lspServers ?? {});
  for (const line of servers.problems) tell(line);
  const languageServers = createLanguageServers({ servers, cwd: io.cwd, env: io.env, clock: systemClock() });
  return { languageServers, ports: { languageServers: languageServers.port }, close: () => languageServers.close() };
}
