import { describe, expect, expectTypeOf, it } from 'vitest';
import { choice, flag, inputOf, integer, optional, text } from './input.js';

const input = inputOf('Look', {
  file_path: text(),
  limit: optional(integer({ min: 1 }, 'lines')),
  all: optional(flag()),
  mode: optional(choice(['a', 'b'])),
});

describe('inputOf', () => {
  it('makes a lean schema', () => {
    expect(input.schema).toEqual({
      type: 'object',
      properties: {
        file_path: { type: 'string' },
        limit: { type: 'integer', description: 'lines' },
        all: { type: 'boolean' },
        mode: { type: 'string', enum: ['a', 'b'] },
      },
      required: ['file_path'],
    });
  });

  it('takes what models send: numbers and flags as strings, null for nothing, fields it does not know', () => {
    const parsed = input.parse({ file_path: 'a', limit: '12', all: 'true', mode: null, extra: {} });
    expect(parsed).toEqual({ ok: true, input: { file_path: 'a', limit: 12, all: true, mode: undefined } });
    if (parsed.ok) expectTypeOf(parsed.input.limit).toEqualTypeOf<number | undefined>();
  });

  it.each([
    [undefined, 'Look takes an object with file_path, limit, all, mode'],
    [[], 'Look takes an object with file_path, limit, all, mode'],
    [{}, 'file_path is missing (a string)'],
    [{ path: 'a' }, 'file_path is missing (a string); Look takes file_path, limit, all, mode; it does not know path'],
    [{ file_path: 3 }, 'file_path must be a string, not 3'],
    [{ file_path: 'a', limit: 0 }, 'limit must be a whole number, 1 or more, not 0'],
    [{ file_path: 'a', limit: 'x'.repeat(100), mode: 'c' }, /^limit must be .*…; mode must be one of a, b, not "c"$/],
  ])('says what is wrong with %j', (value, message) => {
    const parsed = input.parse(value);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });
});
