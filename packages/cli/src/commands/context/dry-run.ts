/** `sidenote context`: what would be sent for this directory and these words. No key, no model, nothing stored, no hook run. */
import { explainFiles } from '../../assemble/instruction-options.js';
import { waitingNotice } from '../../assemble/mcp-servers.js';
import { createModels } from '../../assemble/models.js';
import { openOne } from '../../assemble/open-session.js';
import { setUp } from '../../assemble/set-up.js';
import { firstWords, switched, type Flags } from '../../flags/parse.js';
import { notice, say, type Io } from '../../io.js';
import { modelName } from '@sidenote/agent';
import type { GitSnapshot, Source } from '@sidenote/engine';
import { hookItems } from './hooks.js';
import { requestText } from './request-text.js';
import { contextText } from './text.js';
import { viewOfPreview } from './view.js';

/** Stands for the words that were not given. */
const PLACEHOLDER = '(your words)';

/** `git`: asked already, while this was being loaded. */
export async function dryRun(io: Io, flags: Flags, git: Source<GitSnapshot>): Promise<number> {
  const setup = { ...(await setUp(io, flags, { dry: true })), git };
  for (const line of [...setup.notices, ...waitingNotice(setup.mcp)]) notice(io, line);
  const servers = setup.mcp.filter(({ status }) => status === 'approved').map(({ name }) => name);
  if (servers.length > 0) notice(io, `MCP servers are not started here, so what they bring is left out: ${servers.join(', ')}`);
  const models = createModels(setup.io.env, { cwd: io.cwd, profile: setup.profile });
  const picked = models.pick(setup.asked);
  const model = picked.type === 'unusable' ? modelName(setup.asked, setup.io.env) : picked.model;
  const files = explainFiles(setup, model);
  const opened = await openOne({
    setup,
    models,
    model,
    which: { type: 'new', id: crypto.randomUUID() },
    hooks: { notice: (line) => notice(io, line) },
  });
  const words = firstWords(setup.flags);
  try {
    const step = await opened.session.main.preview(words ?? PLACEHOLDER);
    const view = viewOfPreview(opened.session.main, step, {
      profile: setup.profile(model),
      files: await files,
      hooks: hookItems(setup.hooks),
      tokens: (text) => opened.ports.tokens([{ type: 'text', text }]),
    });
    if (switched(flags, 'json')) io.stdout.write(`${JSON.stringify({ ...view, request: step.request }, null, 2)}\n`);
    else {
      if (words === undefined) notice(io, `no words given: ${PLACEHOLDER} stands for them`);
      const verbose = switched(flags, 'verbose');
      say(io, contextText(view, { width: io.stdout.columns ?? 160, cwd: io.cwd, verbose }));
      say(
        io,
        verbose
          ? `\n${requestText(step.request, opened.session.main.audit)}`
          : '\nsidenote context --verbose shows the texts themselves, and why kinds are off',
      );
    }
    return 0;
  } finally {
    await opened.close();
  }
}
