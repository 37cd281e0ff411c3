/** The smallest agent: a loop without any context of its own. What it passes proves nothing about an agent. */

/** @typedef {{ type: string, id?: string }} Block */

const tools = [{ name: 'Read', description: 'Reads a file.', input_schema: { type: 'object' } }];
/** @type {object[]} */
const messages = [{ role: 'user', content: 'Go on.' }];
for (;;) {
  const response = await fetch(`${process.env['ANTHROPIC_BASE_URL']}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({ model: 'any', max_tokens: 100, tools, messages }),
  });
  /** @type {{ content: Block[] }} */
  const { content } = JSON.parse(await response.text());
  const calls = content.filter(({ type }) => type === 'tool_use');
  if (calls.length === 0) break;
  const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' }));
  messages.push({ role: 'assistant', content }, { role: 'user', content: results });
}
