import { expect, it } from 'vitest';
import { badNumbers, envNumber } from './env-numbers.js';

it('reads whole numbers in their range, the twin first; everything else counts for nothing and is said', () => {
  expect(envNumber({ MCP_TIMEOUT: '1500.7' }, 'MCP_TIMEOUT')).toBe(1500);
  expect(envNumber({ MCP_TIMEOUT: '1', SIDENOTE_MCP_TIMEOUT: '2' }, 'MCP_TIMEOUT')).toBe(2);
  expect(envNumber({ MAX_THINKING_TOKENS: '0' }, 'MAX_THINKING_TOKENS')).toBe(0);
  expect(badNumbers({ MCP_TIMEOUT: '1500', MAX_THINKING_TOKENS: '0', SLASH_COMMAND_TOOL_CHAR_BUDGET: '' })).toEqual([]);
  for (const bad of ['soon', '0', '-1', '30s', ' ', '1e99', 'NaN']) expect(envNumber({ MCP_TIMEOUT: bad }, 'MCP_TIMEOUT')).toBeUndefined();
  expect(badNumbers({ MCP_TIMEOUT: '30s', SIDENOTE_AUTOCOMPACT_PCT_OVERRIDE: '120', MAX_THINKING_TOKENS: '-5' })).toEqual([
    'SIDENOTE_AUTOCOMPACT_PCT_OVERRIDE=120 has no effect: it takes a number from 1 to 100',
    'MAX_THINKING_TOKENS=-5 has no effect: it takes a number from 0 on',
    'MCP_TIMEOUT=30s has no effect: it takes a number from 1 on',
  ]);
});
