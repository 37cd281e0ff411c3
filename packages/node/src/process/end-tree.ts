/** Ends a command with everything it started: its process group, and on Linux also what left the group. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Name of the environment variable by which a command's descendants are known. */
export const commandMark = 'SIDENOTE_COMMAND_ID';

export type Tree = {
  /** Process id of the leader of the group. */
  readonly pid: number;
  /** Value of `commandMark` in the command's environment. */
  readonly mark: string;
};

type Process = { readonly pid: number; readonly parent: number; readonly group: number; readonly started: string };

/**
 * Sends SIGTERM, and after `graceMs` SIGKILL to what is left. Resolves when all are gone, at most a second after SIGKILL.
 * A process that left the group, cleared its environment and lost its parent can't be found.
 */
export async function endTree(tree: Tree, graceMs: number): Promise<void> {
  const known = new Map<number, Process>();
  for (const [name, wait] of [
    ['SIGTERM', graceMs],
    ['SIGKILL', 1_000],
  ] as const) {
    for (const found of members(tree, known)) known.set(found.pid, found);
    const left = (): readonly number[] => [...known.values()].filter(isAlive).map(({ pid }) => pid);
    send(-tree.pid, name);
    for (const pid of left()) send(pid, name);
    const until = performance.now() + wait;
    while ((left().length > 0 || groupIsAlive(tree.pid)) && performance.now() < until) await sleep(10);
  }
}

/** Processes of the group, descendants of its leader or of a known process, and all that carry the mark. */
function members(tree: Tree, known: ReadonlyMap<number, Process>): readonly Process[] {
  const all = new Map(processIds().flatMap((pid) => [inspect(pid)].flatMap((one) => (one === undefined ? [] : [[pid, one] as const]))));
  const roots = new Set([tree.pid, ...[...known.values()].filter(isAlive).map(({ pid }) => pid)]);
  const descends = (one: Process): boolean => {
    for (let at: Process | undefined = one, steps = 0; at !== undefined && steps < 1_000; at = all.get(at.parent), steps += 1) {
      if (roots.has(at.pid) || at.group === tree.pid) return true;
    }
    return false;
  };
  return [...all.values()].filter((one) => descends(one) || carries(one.pid, tree.mark));
}

/** Empty where there is no /proc: the group alone is ended there. */
function processIds(): readonly number[] {
  return process.platform === 'linux' ? readdirSync('/proc').map(Number).filter(Number.isInteger) : [];
}

/** Undefined for a process that is gone or a zombie. */
function inspect(pid: number): Process | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The command's name stands in brackets and may hold anything: fields are counted from the last bracket.
  const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || !/^[^ZX]$/.test(state)) return undefined;
  return { pid, parent: Number(parent), group: Number(group), started: rest[16] ?? '' };
}

/** A number may be in use again: only the same start time is the same process. */
const isAlive = (one: Process): boolean => inspect(one.pid)?.started === one.started;

const carries = (pid: number, mark: string): boolean => read(`/proc/${pid}/environ`).split('\0').includes(`${commandMark}=${mark}`);

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function send(target: number, name: NodeJS.Signals): void {
  try {
    process.kill(target, name);
  } catch {
    // Gone already.
  }
}

/** On Linux zombies count as members of a group, so there the processes that were found are asked instead. */
function groupIsAlive(pid: number): boolean {
  if (process.platform === 'linux') return false;
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}
