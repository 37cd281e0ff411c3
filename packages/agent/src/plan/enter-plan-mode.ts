/** `EnterPlanMode`: nothing is changed from here on, until the person has approved a plan. */
import { inputOf } from '../tools/input.js';
import { refused, said } from '../tools/outcome.js';
import type { Tool } from '../tools/tool.js';
import type { PlanOptions } from './contract.js';

export function enterPlanModeTool({ session, mode, setMode, askPlan }: PlanOptions): Tool<Record<never, never>> {
  const input = inputOf('EnterPlanMode', {});
  return {
    spec: {
      name: 'EnterPlanMode',
      description:
        'Plan before changing anything: for work that is large or open to choices. Changes are refused until the person approves a plan.',
      input_schema: input.schema,
    },
    // It only takes rights away, so nobody has to be asked.
    access: 'read',
    parse: (value) => input.parse(value ?? {}),
    title: () => 'EnterPlanMode',
    async run(_input, { thread }) {
      if (thread !== session().main.id)
        return refused('Only the main conversation enters plan mode: say in your answer that a plan is needed.');
      if (mode() === 'plan') return said('Plan mode is on already.');
      if (askPlan === undefined)
        return refused('Not entered: nobody is there to approve a plan. Do the work, or answer with a plan instead.');
      await setMode('plan');
      return said('Entered.');
    },
  };
}
