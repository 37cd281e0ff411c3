/** All slash commands, and how words become one of them. */
import { existsSync } from 'node:fs';
import { nearest } from '@sidenote/node';
import { agentsCommand } from './agents.js';
import type { Command, CommandContext, CommandOutcome } from './command.js';
import { contextCommand } from './context/command.js';
import { costCommand } from './cost.js';
import { insteadOf } from './elsewhere.js';
import { effortCommand } from './effort.js';
import { ideCommand } from './ide.js';
import { mcpCommand } from './mcp/command.js';
import { memoryCommand } from './memory.js';
import { modelCommand } from './model.js';
import { remindersCommand } from './reminders/command.js';
import { planCommand } from './plan.js';
import { broken, fit, namedRow } from './rows.js';
import { newCommand, resumeCommand } from './sessions/command.js';
import { styleCommand } from './style.js';
import { tasksCommand } from './tasks.js';

const exitCommand: Command = { name: 'exit', aliases: ['quit'], summary: 'end', run: async () => ({ type: 'exit' }) };

const compactCommand: Command = {
  name: 'compact',
  hint: '[words]',
  summary: 'put a summary in place of the conversation; words say what it should hold',
  run: async (_context, wishes) => ({ type: 'compact', wishes }),
};

/** Columns for names and what may follow them, in the help. */
const WIDEST_NAME = 30;
const KEYS = 'shift+tab mode · ctrl+o texts and whole outputs · esc interrupt · ctrl+j new line · up earlier words · ctrl+d exit';

const helpCommand: Command = {
  name: 'help',
  summary: 'this list',
  async run({ conversation, width }) {
    const own = [
      ...COMMANDS.map(({ name, aliases = [], hint = '', summary }) => {
        const names = [name, ...aliases].map((one) => `/${one}`).join(', ');
        return [`${names} ${hint}`.trimEnd(), summary] as const;
      }),
      ['!command', 'run a command here; the model is told with your next words'] as const,
      ['@path', 'show the model a file or folder'] as const,
    ];
    const files = (await conversation.commands.list()).map(
      ({ name, hint = '', summary }) => [`/${name} ${hint}`.trimEnd(), summary] as const,
    );
    const column = Math.min(WIDEST_NAME, Math.max(...[...own, ...files].map(([left]) => left.length)) + 2);
    const lines = [
      ...own.flatMap((row) => namedRow(row, { column, width })),
      ...(files.length === 0 ? [] : ['', 'Skills, commands from files and prompts of servers']),
      ...files.map(([left, summary]) => fit(`${left.padEnd(column - 2)}  ${summary}`, width)),
      '',
      ...broken(KEYS, width, 0),
    ];
    return { type: 'text', text: lines.join('\n') };
  },
};

export const COMMANDS: readonly Command[] = [
  agentsCommand,
  compactCommand,
  contextCommand,
  costCommand,
  effortCommand,
  ideCommand,
  mcpCommand,
  memoryCommand,
  modelCommand,
  newCommand,
  planCommand,
  remindersCommand,
  resumeCommand,
  styleCommand,
  tasksCommand,
  helpCommand,
  exitCommand,
];
export const COMMAND_NAMES: readonly string[] = COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]);

export type Typed = { readonly name: string; readonly rest: string };

/** The command that words ask for; undefined for words to the model, also when they begin with a path. */
export function typedCommand(words: string): Typed | undefined {
  const match = /^\/((?:[\p{L}\p{N}_.-]+\/)*[\p{L}\p{N}_.-]+:[\p{L}_][\p{L}\p{N}_:.-]*|[\p{L}_][\p{L}\p{N}_:-]*)(?:\s+([\s\S]*))?$/u.exec(
    words.trim(),
  );
  const [, given = '', rest = ''] = match ?? [];
  const known = COMMAND_NAMES.find((name) => name === given.toLowerCase());
  if (given === '' || (known === undefined && existsSync(`/${given}`))) return undefined;
  return { name: known ?? given, rest: rest.trim() };
}

/** Runs a typed command, a built-in one before all others. An unknown one is refused with the nearest name. */
export async function runCommand({ name, rest }: Typed, context: CommandContext): Promise<CommandOutcome> {
  const command = COMMANDS.find((one) => one.name === name || one.aliases?.includes(name));
  if (command !== undefined) return command.run(context, rest);
  const { commands } = context.conversation;
  const prompt = await commands.run(name, rest, context.signal);
  if (prompt !== undefined) return prompt;
  const instead = insteadOf(name);
  if (instead !== undefined) return { type: 'refused', text: `there is no /${name}: ${instead}` };
  const near = nearest(name, [...COMMAND_NAMES, ...(await commands.list()).map((one) => one.name)]);
  return { type: 'refused', text: `unknown command /${name}${near === undefined ? '' : `: did you mean /${near}?`} (/help lists all)` };
}
