/** Questions to the person as a part of a session. */
import { askUserQuestionTool, type QuestionOptions } from '@sidenote/agent';
import type { Part } from './part.js';

/** For the main thread alone: whoever starts an agent is asked by it in its answer. */
export const QUESTION_TOOLS: readonly string[] = ['AskUserQuestion'];

export function questionPart({ askQuestion }: QuestionOptions): Part {
  return { tools: [askUserQuestionTool(askQuestion === undefined ? {} : { askQuestion })] };
}
