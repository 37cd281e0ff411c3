/** What a machine has to tell an agent, as named texts: for people who call a model without a session. */
import { dateChange, gitSnapshot, projectInstructions, type AttachmentKind, type ContextEntries, type Ports } from '@sidenote/engine';
import { digestOf } from '../files/digest.js';
import { localPorts, type LocalPortsOptions } from '../ports/local-ports.js';

export type ContextOptions = LocalPortsOptions & {
  /** Sources that stay silent: in remote or bare runs, for one. Default: none. */
  readonly off?: readonly ('git' | 'instructions' | 'date')[];
  /** Told of each source that can't be read now, and why. Its entry is missing then. */
  readonly onAbsent?: (name: string, why: string) => void;
  readonly signal?: AbortSignal;
};

/** What stands at the end of a system prompt: `git`, where there is a repository. Ask once per conversation. */
export async function getSystemContext(options: ContextOptions): Promise<ContextEntries> {
  return entries(options, { git: (ports) => tell(gitSnapshot, ports, options.signal) });
}

/** What stands before the first message: `instructions` and `date`. Ask once per conversation. */
export async function getUserContext(options: ContextOptions): Promise<ContextEntries> {
  return entries(options, {
    instructions: (ports) => tell(projectInstructions, ports, options.signal),
    date: (ports) => tell(dateChange, ports, options.signal),
  });
}

type Told =
  | { readonly type: 'told'; readonly text: string }
  | { readonly type: 'nothing' }
  | { readonly type: 'absent'; readonly why: string };
type Sources = Readonly<Partial<Record<'git' | 'instructions' | 'date', (ports: ReturnType<typeof portsOf>) => Promise<Told>>>>;

async function entries(options: ContextOptions, sources: Sources): Promise<ContextEntries> {
  const ports = portsOf(options);
  const off = new Set<string>(options.off);
  const told = await Promise.all(
    Object.entries(sources)
      .filter(([name]) => !off.has(name))
      .map(async ([name, ask]) => ({ name, told: await ask(ports) })),
  );
  for (const one of told) if (one.told.type === 'absent') options.onAbsent?.(one.name, one.told.why);
  return Object.fromEntries(told.flatMap(({ name, told: one }) => (one.type === 'told' ? [[name, one.text]] : [])));
}

function portsOf(options: LocalPortsOptions) {
  // Nothing is watched for changes here, so no text is kept.
  const blobs: NonNullable<Ports['blobs']> = { put: async (text) => digestOf(text), get: async () => null };
  return { ...localPorts(options), blobs };
}

/** One kind's text at the beginning of a window, whole. */
async function tell<Data, State, Needs extends keyof Ports>(
  kind: AttachmentKind<Data, State, Needs>,
  ports: Required<Pick<Ports, Needs>>,
  signal = new AbortController().signal,
): Promise<Told> {
  const moment = { trigger: 'prompt', prompts: [], effects: [], isMain: true, turn: 1, step: 0, signal } as const;
  const maybe = await kind.collect(moment, kind.told.initial(), ports);
  if (maybe.type === 'unavailable') return { type: 'absent', why: maybe.why };
  if (maybe.type === 'nothing' || maybe.data === undefined || maybe.data === null) return { type: 'nothing' };
  const { content } = kind.render(maybe.data, { tokens: Number.POSITIVE_INFINITY });
  return { type: 'told', text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n') };
}
