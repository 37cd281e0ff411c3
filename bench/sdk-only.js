/** The floor of memory: a process that holds nothing but the model client, and asks once. */
import Anthropic from '@anthropic-ai/sdk';

const message = await new Anthropic().messages
  .stream({ model: 'claude-opus-5-5', max_tokens: 1000, messages: [{ role: 'user', content: 'Hello' }] })
  .finalMessage();
process.stdout.write(`${message.stop_reason}\n`);
