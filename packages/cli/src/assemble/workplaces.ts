/** What a thread works with where it works: permissions, tools and ports, for the session's own directory and for any other. */
import {
  createPermissions,
  defaultTools,
  folderPort,
  modeWithin,
  type AnyTool,
  type Mode,
  type RulePermissions,
  type ToolEnvironment,
} from '@sidenote/agent';
import { judgeMemory, localPorts, resolveFrom, type LocalPorts } from '@sidenote/node';
import { chooseTools } from './choose-tools.js';
import { portOptions } from './instruction-options.js';
import type { AgentMemory } from './agent-memory.js';
import type { Part, PartOptions } from './part.js';
import { laterRules } from './later-settings.js';
import { isBypassOff, permissionOptions } from './permission-options.js';
import { modePort } from './session-mode.js';
import type { Setup } from './set-up.js';

export type WorkplaceOptions = {
  readonly setup: Setup;
  /** Full name of the model that the session begins with. */
  readonly model: string;
  /** Of the session, as it is now. */
  readonly mode: () => Mode;
  /** Absolute path of the session's plan. */
  readonly planFile: string;
  /** Where outputs go that are too long for a result; may be read. */
  readonly outputs: string;
  /** Of the agent that the session runs as. */
  readonly memory?: AgentMemory | undefined;
  readonly background: Pick<ToolEnvironment, 'tasks' | 'notify'>;
  /** What the features of the session bring; asked once tools are. */
  readonly part: () => Required<Pick<Part, 'environment' | 'tools'>>;
  /** One line for the person. */
  readonly tell: (line: string) => void;
};

export type Workplaces = {
  /** The session's own directory. */
  readonly here: {
    readonly permissions: RulePermissions;
    tools(): readonly AnyTool[];
    ports(): LocalPorts;
  };
  readonly place: PartOptions['place'];
};

type Asked = Omit<Parameters<PartOptions['place']>[0], 'cwd'>;

export function workplaces({ setup, model, mode, planFile, outputs, memory: own, background, part, tell }: WorkplaceOptions): Workplaces {
  const { io, flags, loaded, trusted } = setup;
  // "For this session" is said once, whichever agent the person was asked for.
  const granted = new Set<string>();
  const later = laterRules({ setup, tell });
  const memories = setup.memories.off === undefined ? setup.memories.places.own.path : undefined;
  const at = (cwd: string, { mode: wanted, memory }: Asked = {}): Workplaces['here'] => {
    const asked = wanted === 'bypassPermissions' && isBypassOff(loaded) ? undefined : wanted;
    // An agent with memories has no hand in those of the session.
    const folder = memory?.path ?? memories;
    const writable = memory?.mayWrite === false ? undefined : folder;
    const permissions = createPermissions({
      ...permissionOptions({ io: { ...io, cwd }, flags, loaded, trusted }),
      later,
      mode: asked === undefined ? mode : () => modeWithin(mode(), asked),
      granted,
      planFile,
      readableDirectories: [outputs],
      ...(writable === undefined ? {} : { memoryDirectory: writable }),
    });
    const mayRead = (path: string): Promise<boolean> => permissions.mayRead(path);
    return {
      permissions,
      tools() {
        const { environment, tools } = part();
        const around = { env: io.env, home: io.home, outputDir: outputs, ...background, ...guardOf(folder), ...environment };
        const mayFind = (path: string): Promise<boolean> => permissions.mayRead(path, { inCall: true });
        return chooseTools([...defaultTools({ ...around, cwd, mayRead: mayFind }), ...tools], setup);
      },
      ports() {
        const options = portOptions(setup, model);
        const ports = localPorts({ ...options, cwd, instructions: { ...options.instructions, mayRead } });
        const told = memory === undefined ? ports : { ...ports, instructions: memory.told(ports.instructions) };
        return guarded(told, { cwd, home: io.home, mayRead });
      },
    };
  };
  return {
    here: at(io.cwd, own === undefined ? {} : { memory: own }),
    place({ cwd = io.cwd, ...asked }) {
      const { permissions, tools, ports } = at(cwd, asked);
      const elsewhere = cwd === io.cwd ? {} : withoutGit(ports(), setup.bare);
      const told = asked.memory === undefined ? {} : { instructions: ports().instructions };
      return {
        cwd,
        permissions,
        tools: tools(),
        ports: { ...elsewhere, ...told, ...folderPort(cwd), ...modePort(() => permissions.mode) },
      };
    },
  };
}

/** Memories are written by the tools that write any file, within limits of their own. */
function guardOf(memory: string | undefined): Pick<ToolEnvironment, 'judgeText'> {
  return memory === undefined ? {} : { judgeText: (file) => judgeMemory(file, memory) };
}

type Guard = { readonly cwd: string; readonly home: string; mayRead(path: string): Promise<boolean> };

/** A file that a rule keeps from the model can't be mentioned into its sight either. */
function guarded(ports: LocalPorts, { cwd, home, mayRead }: Guard): LocalPorts {
  const { mentions } = ports;
  return {
    ...ports,
    mentions: {
      find: (words) => mentions.find(words),
      async read(mention, blobs, signal) {
        const path = resolveFrom(cwd, mention.path, home);
        if (!(await mayRead(path))) return { type: 'refused', path, why: 'a permission rule forbids reading it' };
        return mentions.read(mention, blobs, signal);
      },
    },
  };
}

/** A bare run says nothing of the repository. */
export function withoutGit(ports: LocalPorts, bare: boolean): Omit<LocalPorts, 'git'> {
  if (!bare) return ports;
  const { git: _git, ...rest } = ports;
  return rest;
}
