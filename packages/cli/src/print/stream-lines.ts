/** The lines of `--output-format stream-json`, named as readers of such streams know them. Injected context is not among them. */
import { randomUUID } from 'node:crypto';
import { DEFAULT_STYLE, type AgentEvent } from '@sidenote/agent';
import type { AssistantMessage, Content, Id, ToolCall, ToolOutcome } from '@sidenote/engine';
import type { Conversation } from '../conversation.js';
import { VERSION } from '../version.js';
import type { PromptResult } from './prompt-result.js';

export type StreamLine = Readonly<Record<string, unknown>> & { readonly type: string };

/** As others name it. */
const STATUS = { ready: 'connected', connecting: 'pending', failed: 'failed' } as const;

/** Names of what can be called: slash commands, the skills among them, and types of agents; and of the output style in force. */
export type InitNames = {
  readonly commands: readonly string[];
  readonly skills: readonly string[];
  readonly agents: readonly string[];
  readonly style: string;
};

/** First line of a session. */
export function initLine(conversation: Conversation, { commands, skills, agents, style }: InitNames): StreamLine {
  return {
    type: 'system',
    subtype: 'init',
    cwd: conversation.cwd,
    session_id: conversation.session.id,
    tools: conversation.tools,
    mcp_servers: (conversation.mcp?.servers ?? []).map(({ name, state }) => ({ name, status: STATUS[state] })),
    model: conversation.model,
    permissionMode: conversation.agent.permissions.mode,
    slash_commands: commands,
    output_style: style === DEFAULT_STYLE ? 'default' : style,
    skills,
    plugins: [],
    agents,
    apiKeySource: conversation.keySource,
    sidenote_version: VERSION,
    uuid: randomUUID(),
  };
}

/** A model's answer, whole. `parent`: the call whose sub-agent gave it. */
export function assistantLine(session: string, message: AssistantMessage, parent: Id | null = null): StreamLine {
  const { id, model, content, stop_reason, usage } = message;
  return {
    type: 'assistant',
    message: { id, type: 'message', role: 'assistant', model, content, stop_reason, stop_sequence: null, usage },
    parent_tool_use_id: parent,
    session_id: session,
    uuid: randomUUID(),
  };
}

/** What a tool gave back. */
export function toolResultLine(session: string, call: ToolCall, outcome: ToolOutcome, parent: Id | null = null): StreamLine {
  const block = {
    type: 'tool_result',
    tool_use_id: call.id,
    content: outcome.content,
    ...(outcome.isError ? { is_error: true } : {}),
  };
  return {
    type: 'user',
    message: { role: 'user', content: [block] },
    parent_tool_use_id: parent,
    session_id: session,
    uuid: randomUUID(),
    ...(outcome.display === undefined ? {} : { tool_use_result: outcome.display }),
  };
}

/** A prompt, repeated (`--replay-user-messages`). */
export function promptLine(session: string, content: readonly Content[]): StreamLine {
  return {
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    session_id: session,
    uuid: randomUUID(),
    isReplay: true,
  };
}

/** Events of a run beside its messages; undefined for those that have no line. */
export function systemLine(session: string, event: AgentEvent): StreamLine | undefined {
  const base = { type: 'system', session_id: session, uuid: randomUUID() };
  switch (event.type) {
    case 'retry-scheduled':
      return { ...base, subtype: 'api_retry', attempt: event.attempt, retry_delay_ms: event.afterMs, error: event.why };
    case 'permission-denied':
      return { ...base, subtype: 'permission_denied', tool_name: event.call.name, tool_use_id: event.call.id, reason: event.why };
    case 'compaction-started':
      return { ...base, subtype: 'status', status: 'compacting' };
    case 'compaction-ended': {
      const { outcome, trigger, before, after } = event.result;
      if (outcome !== 'summarised' && outcome !== 'plain') return { ...base, subtype: 'status', status: null };
      const metadata = { trigger: trigger === 'manual' ? 'manual' : 'auto', pre_tokens: before, post_tokens: after };
      return { ...base, subtype: 'compact_boundary', compact_metadata: metadata };
    }
    default:
      return undefined;
  }
}

/** Last line of a prompt: there is exactly one, however it ended. */
export function resultLine(session: string | null, result: PromptResult): StreamLine {
  return {
    type: 'result',
    subtype: result.subtype,
    is_error: result.isError,
    duration_ms: Math.round(result.durationMs),
    duration_api_ms: Math.round(result.apiMs),
    num_turns: result.steps,
    result: result.text,
    session_id: session,
    total_cost_usd: result.totalUsd,
    usage: {
      input_tokens: result.usage.input_tokens,
      cache_creation_input_tokens: result.usage.cache_creation_input_tokens ?? 0,
      cache_read_input_tokens: result.usage.cache_read_input_tokens ?? 0,
      output_tokens: result.usage.output_tokens,
    },
    permission_denials: result.denied.map((call) => ({ tool_name: call.name, tool_use_id: call.id, tool_input: call.input })),
    uuid: randomUUID(),
  };
}
