/** `/plan`: nothing is changed from here on until a plan is approved; in plan mode it shows the plan. */
import { readTextFile } from '@sidenote/node';
import type { Command } from './command.js';

export const planCommand: Command = {
  name: 'plan',
  hint: '[words]',
  summary: 'enter plan mode; words are what is to be planned. In plan mode: show the plan',
  async run({ conversation }, rest) {
    const { planFile } = conversation;
    const isOn = conversation.agent.permissions.mode === 'plan';
    if (!isOn) await conversation.setMode('plan');
    if (rest !== '') return { type: 'prompt', content: [{ type: 'text', text: rest }], own: [rest] };
    const plan = await readTextFile(planFile);
    if (isOn && plan.type === 'text') return { type: 'text', text: `${planFile}\n\n${plan.text}` };
    return { type: 'text', text: `plan mode is on: nothing is changed before a plan is approved. The plan goes to ${planFile}` };
  },
};
