/** A command line taken apart: every simple command and file redirection in it, wherever it hides, and what can't be told. */
import { forEachChild, parse } from 'unbash';
import type { Assignment, Redirect, SyntaxNode, Word } from 'unbash';
import { uncovered } from './coverage.js';
import { readAssignmentWord, readWord } from './word.js';
import type { ShellWord } from './word.js';
import { isHarmlessExport, isHarmlessLocal } from './variables.js';

export type SimpleCommand = {
  readonly words: readonly ShellWord[];
  /** In a loop or a function: it may run any number of times. */
  readonly repeated: boolean;
};
export type FileRedirect = { readonly access: 'read' | 'write'; readonly target: ShellWord };

export type ShellScript = {
  readonly commands: readonly SimpleCommand[];
  readonly redirects: readonly FileRedirect[];
  /** Why the script can't be judged by its commands alone; empty when it can. */
  readonly unresolved: readonly string[];
};

const numeric = /^[-+]?\d*$/;
const arithmeticTest = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);
const isNumber = (word: Word) => word.parts === undefined && numeric.test(word.value);

/** Constructs that can run or rename things in ways that the commands don't show. */
function objection(node: SyntaxNode): string | null {
  switch (node.type) {
    case 'Script':
      return node.errors !== undefined && node.errors.length > 0 ? 'it is not complete shell syntax' : null;
    case 'CommandExpansion':
      return node.script === undefined ? 'a substitution could not be read' : null;
    case 'ProcessSubstitution':
      return 'it uses a process substitution';
    case 'Function':
      // By the name of a command that reads it would be taken for that command: `ls() { ls | ls & }` fills the machine.
      return 'it defines a function';
    case 'Coproc':
      return 'it starts a coprocess';
    case 'ArithmeticWord':
      return numeric.test(node.value) ? null : 'it evaluates variables as arithmetic';
    case 'ArithmeticExpansion':
    case 'ArithmeticCommand':
      return node.expression === undefined ? 'it evaluates arithmetic' : null;
    case 'ParameterExpansion':
      return node.prefix === '!' || node.index !== undefined ? 'it uses an indirect variable' : null;
    case 'Transform':
    case 'Unknown':
      return 'it transforms a variable';
    case 'Default':
      return node.operator.endsWith('=') ? 'it assigns a variable in an expansion' : null;
    case 'Slice':
      return isNumber(node.offset) && (node.length === undefined || isNumber(node.length)) ? null : 'it evaluates arithmetic';
    case 'TestUnary':
      return node.operator === '-v' || node.operator === '-R' ? 'it tests a variable by name' : null;
    case 'TestBinary':
      return arithmeticTest.has(node.operator) && !(isNumber(node.left) && isNumber(node.right)) ? 'it evaluates arithmetic' : null;
    case 'For':
    case 'Select':
      return isHarmlessLocal(node.name.text) ? null : `it sets the variable ${node.name.text}`;
    case 'FileDescriptorVariable':
      return 'it redirects through a variable';
    case 'ArrayValue':
      return 'it fills an array';
    default:
      return null;
  }
}

function assigned(assignment: Assignment, alone: boolean): string | null {
  if (assignment.index !== undefined) return 'it fills an array';
  const harmless = alone ? isHarmlessLocal(assignment.name) : isHarmlessExport(assignment.name);
  return harmless ? null : `it sets the variable ${assignment.name}`;
}

function fileRedirect(redirect: Redirect, home: string): FileRedirect | string | null {
  if (redirect.target === undefined) return 'a redirection has no target';
  const target = readWord(redirect.target, home);
  const duplicates = redirect.operator === '>&' || redirect.operator === '<&';
  if (duplicates && target.value !== null && /^(\d+-?|-)$/.test(target.value)) return null;
  return { access: redirect.operator === '<' || redirect.operator === '<&' ? 'read' : 'write', target };
}

/** Takes a command line apart. `home` is what `~` stands for. */
export function readScript(source: string, home: string): ShellScript {
  const commands: SimpleCommand[] = [];
  const redirects: FileRedirect[] = [];
  const unresolved = new Set<string>();
  // oxlint-disable-next-line no-control-regex -- the point is to find them
  if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(source)) return { commands, redirects, unresolved: ['it holds control characters'] };

  const visit = (node: SyntaxNode, repeated: boolean): void => {
    const why = objection(node);
    if (why !== null) unresolved.add(why);
    if (node.type === 'Script' && uncovered(node, node.source ?? source)) unresolved.add('a part of it could not be read');
    if (node.type === 'Redirect') {
      const found = fileRedirect(node, home);
      if (typeof found === 'string') unresolved.add(found);
      else if (found !== null) redirects.push(found);
    }
    if (node.type === 'Command') {
      for (const child of node.prefix) {
        const bad = child.type === 'Assignment' ? assigned(child, node.name === undefined) : null;
        if (bad !== null) unresolved.add(bad);
      }
      if (node.name !== undefined) {
        const args = node.args.map((arg) => (arg.type === 'Word' ? readWord(arg, home) : readAssignmentWord(arg, home)));
        commands.push({ words: [readWord(node.name, home), ...args], repeated });
      }
    }
    const loop =
      node.type === 'For' || node.type === 'While' || node.type === 'Select' || node.type === 'ArithmeticFor' || node.type === 'Function';
    forEachChild(node, (child) => visit(child, repeated || loop));
  };
  try {
    visit(parse(source), false);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // How deep is too deep depends on the stack that is left; what was not reached counts as not read.
    unresolved.add('it is nested too deeply to be read');
  }
  return { commands, redirects, unresolved: [...unresolved] };
}
