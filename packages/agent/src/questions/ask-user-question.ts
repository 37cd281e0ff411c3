/** `AskUserQuestion`: puts questions before the person, one after the other, and gives the model what they answered. */
import { countText, head } from '@sidenote/engine';
import { flag, group, inputOf, list, members, optional, text } from '../tools/input.js';
import { refused, said } from '../tools/outcome.js';
import type { Tool } from '../tools/tool.js';
import type { AskedQuestion, AskQuestion } from './contract.js';

export type AskUserQuestionInput = {
  readonly questions: readonly AskedQuestion[];
  /** By the text of the question: what a hook has put into the call. A model's own are not taken. */
  readonly answers: ReadonlyMap<string, string>;
};

export type QuestionOptions = {
  /** Absent: nobody is there to answer. */
  readonly askQuestion?: AskQuestion;
};

/** Questions of one call, and options of one question: each has a key, and two keys are for other answers. */
const MOST_QUESTIONS = 4;
const MOST_OPTIONS = 7;
/** Characters of one question with its options: a person reads all of it before they answer. */
const MOST_WORDS = 8_000;
/** Characters of all questions that are repeated where nobody answers. */
const SHOWN = 400;

const shownInput = inputOf('AskUserQuestion', {
  questions: list(
    group({
      question: text(),
      header: optional(text('a word or two')),
      options: list(group({ label: text(), description: optional(text()) }), `the one you would take first; at most ${MOST_OPTIONS}`),
      multiSelect: optional(flag()),
    }),
  ),
});
const answersInput = inputOf('AskUserQuestion', { answers: optional(members()) });

export function askUserQuestionTool({ askQuestion }: QuestionOptions): Tool<AskUserQuestionInput> {
  return {
    spec: {
      name: 'AskUserQuestion',
      description:
        'Ask the person to choose, where the answer changes the work and nothing else can tell it. They can always answer in other words.',
      input_schema: shownInput.schema,
    },
    // It changes nothing but the conversation.
    access: 'read',
    parse(value) {
      const parsed = shownInput.parse(value);
      if (!parsed.ok) return parsed;
      const given = answersInput.parse(value);
      if (!given.ok) return given;
      const { questions } = parsed.input;
      if (questions.length === 0 || questions.length > MOST_QUESTIONS)
        return { ok: false, message: `questions has to hold 1 to ${MOST_QUESTIONS} of them` };
      if (questions.some(({ question }) => question.trim() === '')) return { ok: false, message: 'a question is empty' };
      const long = questions.find(({ options }) => options.length > MOST_OPTIONS);
      if (long !== undefined)
        return { ok: false, message: `a question has at most ${MOST_OPTIONS} options: ${head(long.question, SHOWN)}` };
      const wordy = questions.find((one) => JSON.stringify(one).length > MOST_WORDS);
      if (wordy !== undefined) {
        const most = `a question with its options has at most ${countText(MOST_WORDS)} characters`;
        return { ok: false, message: `${most}: ${head(wordy.question, SHOWN)}` };
      }
      return { ok: true, input: { questions: questions.map(asked), answers: answersOf(given.input.answers ?? {}) } };
    },
    title: ({ questions }) => `AskUserQuestion ${questions.map(({ question }) => question).join(' · ')}`,
    async run({ questions, answers }, { signal, isChanged, denied }) {
      const known = isChanged ? answers : new Map<string, string>();
      const lines: string[] = [];
      for (const [at, one] of questions.entries()) {
        const given = known.get(one.question);
        if (given !== undefined) {
          lines.push(answered(one, questions, given));
          continue;
        }
        if (askQuestion === undefined) {
          const open = questions.slice(at).filter(({ question }) => !known.has(question));
          denied(`nobody is there to answer: ${head(open.map(inOneLine).join(' · '), SHOWN)}`);
          return refused([...lines, NOBODY].join('\n'));
        }
        const answer = await askQuestion(one, signal);
        if (answer.type === 'declined') return refused([...lines, answered(one, questions, 'the person did not answer.')].join('\n'));
        lines.push(answered(one, questions, answer.type === 'said' ? answer.words : chosen(answer.labels)));
      }
      return said(`The answers:\n${lines.join('\n')}`);
    },
  };
}

const NOBODY =
  'Nobody is there to answer. Where a choice is safe and easily changed, make it, go on, and say in your answer what you assumed; else end here with the question as your answer.';

type Given = {
  readonly question: string;
  readonly header: string | undefined;
  readonly options: readonly { readonly label: string; readonly description: string | undefined }[];
  readonly multiSelect: boolean | undefined;
};

function asked({ question, header, options, multiSelect = false }: Given): AskedQuestion {
  return {
    question,
    ...(header === undefined ? {} : { header }),
    options: options.map(({ label, description }) => ({ label, ...(description === undefined ? {} : { description }) })),
    isMultiple: multiSelect,
  };
}

/** One that is no text is none. Several options may come as a list. */
function answersOf(given: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const texts = Object.entries(given).map(([question, answer]) => [question, Array.isArray(answer) ? answer.join(', ') : answer] as const);
  return new Map(texts.flatMap(([question, answer]) => (typeof answer === 'string' ? [[question, answer] as const] : [])));
}

const chosen = (labels: readonly string[]): string => (labels.length === 0 ? 'none of the options' : labels.join(', '));

/** Under the question's own word or two, where no other has the same: one line then shows the answer, too. */
function answered({ question, header }: AskedQuestion, all: readonly AskedQuestion[], answer: string): string {
  const isOwn = header !== undefined && all.filter((one) => one.header === header).length === 1;
  return `${isOwn ? header : question}${!isOwn && question.endsWith('?') ? '' : ':'} ${answer}`;
}

function inOneLine({ question, options }: AskedQuestion): string {
  const labels = options.map(({ label }) => label).join(', ');
  return `${question}${labels === '' ? '' : ` (${labels})`}`.replaceAll(/\s+/g, ' ');
}
