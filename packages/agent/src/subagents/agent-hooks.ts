/** The hooks of one sub-agent: told who it is, and run at its start before its first prompt. */
import { startHooks, type HookedAgent, type Hooks, type RunningHooks } from '../loop/hooks.js';

export type AgentHooks = { readonly hooks?: Hooks | undefined; readonly starting?: RunningHooks | undefined };

export function agentHooks(session: Hooks, agent: HookedAgent): AgentHooks {
  const hooks = session.forAgent?.(agent) ?? session;
  const fields = { agent_id: agent.id, agent_type: agent.type };
  return { hooks, starting: startHooks(hooks, { event: 'SubagentStart', subject: agent.type, fields }) };
}
