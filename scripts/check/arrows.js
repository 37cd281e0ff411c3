/**
 * Dependencies run one way: `cli, inspector -> agent -> node -> engine`, and in the engine
 * `window -> request -> attachments, prompt -> transcript -> content`. The engine imports nothing from outside.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import { packages, root, sourceCondition } from '../workspace.js';

/** @import { IForbiddenRuleType, ICruiseResult } from 'dependency-cruiser' */
/** @import { Verdict } from '../verdict.js' */

const test = '\\.test\\.[jt]s$';

/** What each package may use of the others. */
const above = { engine: [], node: ['engine'], agent: ['engine', 'node'], inspector: ['engine', 'node', 'agent'] };

/** What each folder of the engine may use beside itself; `session` and `testing` stand on top and may use all. */
const layers = {
  content: [],
  transcript: ['content'],
  prompt: ['content', 'transcript'],
  attachments: ['content', 'transcript'],
  request: ['content', 'transcript', 'prompt', 'attachments'],
  window: ['content', 'transcript', 'prompt', 'attachments', 'request'],
};

/** @type {IForbiddenRuleType[]} */
const rules = [
  { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  { name: 'everything-resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
  {
    name: 'engine-is-pure',
    comment: 'no node: modules, no packages: what the engine needs comes in through ports',
    severity: 'error',
    from: { path: '^packages/engine/src/', pathNot: test },
    to: { pathNot: '^packages/engine/src/' },
  },
  ...Object.entries(above).map(([name, allowed]) => packageRule(name, allowed)),
  ...Object.entries(layers).map(([name, allowed]) => layerRule(name, allowed)),
  {
    name: 'sources-import-no-tests',
    severity: 'error',
    from: { pathNot: test },
    to: { path: test },
  },
  {
    name: 'across-packages-by-name',
    comment:
      "a package's exports are its public entries; a relative path into another package goes round them; what supports tests is no entry, and is not published",
    severity: 'error',
    from: { path: '^packages/([^/]+)/' },
    to: { path: '^packages/', pathNot: ['^packages/$1/', String.raw`\.testing\.ts$`], dependencyTypesNot: ['aliased-workspace'] },
  },
  {
    name: 'examples-by-name',
    severity: 'error',
    from: { path: '^(?:examples|bench)/' },
    to: { path: '^packages/', dependencyTypesNot: ['aliased-workspace'] },
  },
];

/** @param {string} name @param {readonly string[]} allowed @returns {IForbiddenRuleType} */
function packageRule(name, allowed) {
  return {
    name: `package-${name}`,
    severity: 'error',
    from: { path: `^packages/${name}/src/` },
    to: { path: '^packages/', pathNot: `^packages/(?:${[name, ...allowed].join('|')})/` },
  };
}

/** @param {string} name @param {readonly string[]} allowed @returns {IForbiddenRuleType} */
function layerRule(name, allowed) {
  return {
    name: `engine-${name}`,
    severity: 'error',
    from: { path: `^packages/engine/src/${name}/`, pathNot: test },
    to: { path: '^packages/engine/src/', pathNot: `^packages/engine/src/(?:${[name, ...allowed].join('|')})/` },
  };
}

/**
 * @param {string} [base] Root of the repository.
 * @returns {Promise<Verdict>}
 */
export async function checkArrows(base = root) {
  const folders = ['packages', 'examples', 'bench'].filter((folder) => existsSync(join(base, folder)));
  const { output } = await cruise(
    folders,
    {
      baseDir: base,
      validate: true,
      ruleSet: { forbidden: rules },
      tsPreCompilationDeps: true,
      // Reads the root's package.json too, which says what a workspace is.
      combinedDependencies: true,
      exclude: { path: '(?:^|/)dist(?:\\.|/)' },
      doNotFollow: { path: 'node_modules' },
    },
    {
      conditionNames: [sourceCondition, 'types', 'node', 'import', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.d.ts', '.json'],
    },
  );
  if (typeof output === 'string') return { ok: false, summary: output };
  return judge(output, base);
}

/** @param {ICruiseResult} result @param {string} base @returns {Verdict} */
function judge(result, base) {
  const sources = result.modules.map((module) => module.source).filter((source) => source.startsWith('packages/'));
  // With a TypeScript that it can't use, the cruiser finds no module and has nothing to complain about.
  const unseen = packages(base).filter(({ folder }) => !sources.some((source) => join(base, source).startsWith(join(folder, 'src'))));
  const details = [
    ...unseen.map(({ name }) => `${name}: not one module was cruised`),
    ...result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
    ...sources.flatMap((source) => kindImports(source, base)),
  ];
  return { ok: details.length === 0, summary: `${sources.length} modules cruised`, details };
}

const kinds = 'packages/engine/src/attachments/kinds/';

/**
 * A kind takes nothing from another kind but its folds: it can be removed without touching its neighbours.
 * Files beside them that define no kind are there to be shared.
 * @param {string} source @param {string} base
 */
function kindImports(source, base) {
  if (!source.startsWith(kinds) || source.endsWith('.test.ts') || !definesKind(join(base, source))) return [];
  const imports = readFileSync(join(base, source), 'utf8').matchAll(
    /import\s+(type\s+)?(?:\{([^}]*)\}|[^'"]+?)\s+from\s+'\.\/([^']+)\.js'/g,
  );
  return [...imports].flatMap(([, type, names = '*', from]) => {
    if (type !== undefined || !definesKind(join(base, kinds, `${from}.ts`))) return [];
    const taken = names.split(',').map((name) => name.trim());
    const foreign = taken.filter((name) => name !== '' && !/^type |Fold(?: as .*)?$/.test(name));
    return foreign.map((name) => `kinds-share-folds-only: ${source} takes ${name} from ./${from}.js`);
  });
}

/** @param {string} file */
function definesKind(file) {
  return existsSync(file) && readFileSync(file, 'utf8').includes('defineAttachment(');
}
