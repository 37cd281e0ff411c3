/**
 * Pages say what is: links between them lead somewhere, and a code block under `<!-- file: path -->`
 * is that file, character by character.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../workspace.js';
import { trackedFiles } from './tracked.js';

/** @import { Verdict } from '../verdict.js' */

/** @param {string} [base] @returns {Verdict} */
export function checkPages(base = root) {
  const pages = trackedFiles(base).filter((path) => path.endsWith('.md'));
  const details = pages.flatMap((page) => {
    const text = readFileSync(join(base, page), 'utf8');
    return [...deadLinks(base, page, text), ...staleBlocks(base, page, text)];
  });
  return { ok: details.length === 0, summary: `${pages.length} pages`, details };
}

/** @param {string} base @param {string} page @param {string} text */
function deadLinks(base, page, text) {
  const prose = text.replace(/^(`{3,}|~{3,}).*\n[^]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)].map((hit) => hit[1] ?? '');
  return targets
    .filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target))
    .flatMap((target) => {
      const [path = '', anchor] = decodeURI(target).split('#');
      const file = path === '' ? join(base, page) : join(base, dirname(page), path);
      if (!existsSync(file)) return [`${page}: dead link ${target}`];
      if (anchor === undefined || !file.endsWith('.md')) return [];
      return anchors(readFileSync(file, 'utf8')).includes(anchor) ? [] : [`${page}: no heading #${anchor} in ${relative(base, file)}`];
    });
}

/** Headings as their addresses: lower case, punctuation out, spaces to hyphens. @param {string} text */
function anchors(text) {
  return [...text.matchAll(/^#{1,6}\s+(.+)$/gm)].map((hit) =>
    (hit[1] ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

/** @param {string} base @param {string} page @param {string} text */
function staleBlocks(base, page, text) {
  return [...text.matchAll(/^<!-- file: (\S+) -->\n+```\w*\n([^]*?)^```$/gm)].flatMap(([, path = '', block]) => {
    if (!existsSync(join(base, path))) return [`${page}: shows ${path}, which does not exist`];
    return readFileSync(join(base, path), 'utf8') === block ? [] : [`${page}: its copy of ${path} differs from the file`];
  });
}
