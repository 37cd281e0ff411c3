/** Once on leaving plan mode, whoever left it and however: compared with what the model was told last. */
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment, isKind } from '../contract.js';
import { planIn } from '../parts/plan-effects.js';
import { effectsIn } from '../parts/views.js';

type Told = {
  /** The model was told to be in plan mode. */
  inside: boolean;
  /** The file of the plan that was approved since. */
  approved: string | undefined;
};
type Data = { readonly mode: string; readonly approved: string | null; readonly draft: string | null };

const toldFold: Fold<Told> = {
  name: 'plan-mode-exit',
  scope: 'chain',
  on: ['tool_result', 'attachment'],
  initial: () => ({ inside: false, approved: undefined }),
  step(state, record) {
    if (isKind(record, 'plan_mode')) return state.inside ? state : { inside: true, approved: undefined };
    if (isKind(record, 'plan_mode_exit')) return { inside: false, approved: undefined };
    for (const effect of effectsIn(record)) {
      const plan = planIn(effect);
      if (plan !== undefined) state = { ...state, approved: plan.outcome === 'approved' ? plan.file : undefined };
    }
    return state;
  },
};

export const planModeExit = defineAttachment({
  kind: 'plan_mode_exit',
  version: 1,
  needs: ['mode'],
  group: 'thread',
  wait: 'must',
  trust: 'client',
  told: toldFold,
  decode: (data) => data,
  async collect({ signal }, { inside, approved = null }, { mode }) {
    if (!inside) return { type: 'nothing' };
    const reading = await mode.read(signal);
    if (reading.type === 'unavailable') return reading;
    const { mode: now, plan } = reading.value;
    if (now === 'plan') return { type: 'nothing' };
    return { type: 'new', data: { mode: now, approved, draft: plan?.exists === true ? plan.file : null } };
  },
  render: ({ mode, approved, draft }: Data) => {
    const plan =
      approved !== null
        ? ` The person approved the plan in ${approved}: carry it out.`
        : draft !== null
          ? ` The plan in ${draft} was not approved.`
          : '';
    return { content: [{ type: 'text', text: `Plan mode is over; the mode is ${mode} now, and changes are possible again.${plan}` }] };
  },
  title: ({ mode }) => `plan mode left for ${mode}`,
  reason: ({ approved }) => (approved === null ? 'the mode is no longer plan' : 'the plan was approved'),
});
