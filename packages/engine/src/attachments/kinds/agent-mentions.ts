/** Agents that someone's words name: `@agent-<name>`, or a bare `@name` where no such file is meant. */
import { defineAttachment } from '../contract.js';
import { fitting, member, strings } from '../parts/kept.js';
import { names } from '../parts/names.js';
import { ownWords } from '../parts/own-words.js';

type Data = { readonly agents: readonly string[] };

/** A word behind an `@` that is not inside an address or a path. Code is not looked into. */
const MENTION = /(?<![\p{L}\p{N}_.%+\-/\\@`])@([\p{L}\p{N}][\p{L}\p{N}_.-]*)(?![/\\@])/gu;
const CODE = /```[^]*?(?:```|$)|`[^`\n]*`/g;

export const agentMentions = defineAttachment({
  kind: 'agent_mentions',
  version: 1,
  needs: ['agents', 'mentions'],
  group: 'input',
  tool: 'Agent',
  wait: 'may',
  trust: 'user',
  told: { name: 'agent-mentions', scope: 'window', on: [], initial: () => ({}), step: (state) => state },
  decode: (data) => strings(member(data, 'agents')),
  async collect(moment, _told, { agents, mentions }) {
    const texts = moment.prompts.flatMap(ownWords);
    const words = texts.flatMap((text) =>
      [...text.replace(CODE, ' ').matchAll(MENTION)].map(([, word = '']) => word.replace(/[.-]+$/, '')),
    );
    if (words.length === 0) return { type: 'nothing' };
    const reading = await agents.read(moment.signal);
    if (reading.type === 'unavailable') return reading;
    const known = new Map(reading.value.map(({ name }) => [name.toLowerCase(), name]));
    const files = new Set(texts.flatMap((text) => mentions.find(text)).map(({ path }) => path));
    const named = words.flatMap((word) => {
      const agent = /^agent-(.+)$/i.exec(word)?.[1];
      const bare = files.has(word) ? undefined : known.get(word.toLowerCase());
      return (agent === undefined ? undefined : known.get(agent.toLowerCase())) ?? bare ?? [];
    });
    return named.length === 0 ? { type: 'nothing' } : { type: 'new', data: { agents: fitting([...new Set(named)]) } };
  },
  render: ({ agents }: Data) => ({
    content: [
      {
        type: 'text',
        text:
          agents.length === 1
            ? `The user names the agent ${agents[0]}: start it with the Agent tool (subagent_type ${agents[0]}) for what they ask of it.`
            : `The user names the agents ${agents.join(', ')}: start them with the Agent tool (by subagent_type) for what they ask of each.`,
      },
    ],
  }),
  title: ({ agents }) => `agents named: ${names(agents)}`,
  reason: () => 'the prompt names them',
});
