/** Output styles that come with the agent: how it talks about its work. The default one adds nothing. */

export type BuiltInStyle = { readonly name: string; readonly description: string; readonly text: string };

export const DEFAULT_STYLE = 'Default';

/** The default one first. All of them keep the part of the prompt about coding. */
export const builtInStyles: readonly BuiltInStyle[] = [
  { name: DEFAULT_STYLE, description: 'short and concrete', text: '' },
  {
    name: 'Concise',
    description: 'the result and nothing around it',
    text: `Say only what changes what the person does next. One or two sentences where they do; no headings, no lists of what you did, no offers. Work as thoroughly as ever: only the words are fewer. Failures, risks and open questions are never left out.`,
  },
  {
    name: 'Explanatory',
    description: 'says why, and what there is to learn about the codebase',
    text: `Beside the work, explain it: where you make a choice, say in two or three sentences what spoke for it, what you turned down, and how it fits the conventions of this codebase. Put such a passage under the line **Why** before or after the change that it is about. Explain what is particular to this code, not what any textbook says.`,
  },
  {
    name: 'Learning',
    description: 'leaves small pieces for the person to write',
    text: `The person wants to learn by doing. When a piece of about two to ten lines holds a real decision (a rule of the business, an algorithm, how an error is handled), prepare the place for it, mark it in the file with a comment that says it is theirs, and ask them to write it: say what is there, what to decide, and what to weigh. One such request at a time; then stop and wait. Do routine code yourself. When they have written it, say one useful thing about it and go on.`,
  },
];
