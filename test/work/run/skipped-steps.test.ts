import { expect, test } from 'vitest';
import type { PhaseRecord } from '../../../src/schema/phase-record.ts';
import { skippedSteps } from '../../../src/work/run/record-skipped.ts';

const protocol = '9. Call `fermata gemini review <PROMPT_NUM>`';
const startedAt = '2026-01-01T10:00:00.000Z';
const review = (at: string, verdict: 'passed' | 'changes'): PhaseRecord => ({
  id: 1,
  taskId: 'shop/1',
  kind: 'review',
  iteration: 1,
  branch: null,
  data: { verdict },
  at: `2026-01-01T${at}:00.000Z`,
  by: { actor: { kind: 'agent', name: 'coder' }, channel: 'command' },
});

test.each([
  ['nobody reviewed it', protocol, [], /Nobody has reviewed/],
  ['its review is older than the last work', protocol, [review('09:00', 'passed')], /changed after/],
  [
    'its last review asked for changes',
    protocol,
    [review('11:00', 'passed'), review('12:00', 'changes')],
    /asked for/,
  ],
])('BIND-4 the review counts as skipped where %s', (_, steps, records, reason) => {
  expect(skippedSteps({ protocol: steps, records, startedAt, notes: undefined })).toEqual([
    { step: 'review', reason: expect.stringMatching(reason) },
  ]);
});

test.each([
  ['its last review passed', protocol, [review('11:00', 'changes'), review('12:00', 'passed')]],
  ['its protocol asks for none', '1. Do it, then look over it', []],
])('BIND-4 nothing counts as skipped where %s', (_, steps, records) => {
  expect(
    skippedSteps({ protocol: steps, records, startedAt, notes: { path: 'n.md', written: true } }),
  ).toEqual([]);
});

test('BIND-4 notes that were not written count as skipped', () => {
  const notes = { path: 'notes/N.md', written: false };
  expect(skippedSteps({ protocol: '', records: [], startedAt, notes })).toEqual([
    { step: 'notes', reason: 'The agent did not write notes/N.md.' },
  ]);
});
