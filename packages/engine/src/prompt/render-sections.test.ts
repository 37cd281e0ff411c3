import { expect, test } from 'vitest';
import { FakeClock } from '../testing/index.js';
import { DuplicateSectionError } from './errors.js';
import { renderSections } from './render-sections.js';
import { systemSection } from './system-section.js';

const plain = (name: string) => ({ name, text: name, static: true });

test('sections are computed side by side, stand in their order, and null leaves one out', async () => {
  const clock = new FakeClock();
  let release: () => void = () => undefined;
  const gate = new Promise<void>((done) => (release = done));
  const first = systemSection('first', async ({ model }) => {
    await gate;
    return `of ${model}`;
  });
  const second = systemSection(
    'second',
    () => {
      release();
      return 'at once';
    },
    { static: true },
  );
  const rendered = await renderSections([plain('plain'), first, systemSection('none', () => null), second], {
    model: 'm',
    clock: clock.port(),
  });
  expect(rendered).toEqual({
    sections: [plain('plain'), { name: 'first', text: 'of m', static: false }, { name: 'second', text: 'at once', static: true }],
    absent: [],
  });
  expect(clock.sleeping).toBe(0);
});

test('a late and a failing section stay out and are reported; those that stayed out before are not asked again', async () => {
  const clock = new FakeClock();
  const signals: AbortSignal[] = [];
  let asked = 0;
  const late = systemSection('late', ({ signal }) => {
    asked++;
    signals.push(signal);
    return new Promise<string>(() => undefined);
  });
  const failing = systemSection('failing', () => {
    asked++;
    throw new Error('no disk');
  });
  const running = renderSections([late, failing, plain('fine')], { model: 'm', clock: clock.port() });
  clock.advance(5_000);
  const { sections, absent } = await running;
  expect(sections).toEqual([plain('fine')]);
  expect(absent).toEqual([
    { kind: 'system:late', outcome: 'late', ms: 5_000, why: expect.stringContaining('stays out') },
    { kind: 'system:failing', outcome: 'failed', ms: 0, why: 'no disk' },
  ]);
  expect(signals[0]?.aborted).toBe(true);
  expect(await renderSections([late, failing], { model: 'm', clock: clock.port(), out: absent })).toEqual({ sections: [], absent });
  expect(asked).toBe(2);
});

test('two sections of one name are an error', async () => {
  const parts = [plain('twice'), systemSection('twice', () => null)];
  await expect(renderSections(parts, { model: 'm', clock: new FakeClock().port() })).rejects.toSatisfy(DuplicateSectionError.isInstance);
});
