import { expect, test } from 'vitest';
import { assessVagueness } from '../../src/plan/draft.ts';
import { cpuTime } from '../support/cpu-time.ts';

test.each([
  'todo app',
  'make something for stuff',
  'how to do this?',
  '',
  'maybe something somehow with stuff and things and whatever basically',
  'improve everything',
])('ADP-3 a vague request is reported as vague, with reasons: %j', (request) => {
  const { vague, score, reasons } = assessVagueness(request);
  expect({ vague, score: score >= 0.5 && score <= 1 }).toEqual({ vague: true, score: true });
  expect(reasons.length).toBeGreaterThan(0);
});

test.each([
  'Add a REST API endpoint for user authentication using JWT tokens',
  'The command `export` in src/cli/export.ts loses the last row of a CSV because the buffer is not flushed; flush it.',
  'Customers need to see their last 10 orders on the account page so that they can order again.',
])('ADP-3 a clear request is not vague: %j', (request) => {
  expect(assessVagueness(request)).toMatchObject({ vague: false });
});

test('ADP-3 only whole words count', () => {
  const { reasons } = assessVagueness(
    'Show the thingspeak stuffing ratio in the dashboard of the sensor service because users ask for it',
  );
  expect(reasons.join()).not.toMatch(/things|stuff/);
});

test('ADP-3 says that where and why are missing', () => {
  expect(
    assessVagueness('Add pagination with cursors and limits, sorted by date, newest first always').reasons,
  ).toEqual([expect.stringContaining('where'), expect.stringContaining('why')]);
});

test('ADP-3 only a short question is not a request', () => {
  const long = 'Could customers see their last orders on the account page so that they can order again?';
  expect(assessVagueness(long).reasons).toEqual([]);
  expect(assessVagueness('Could customers see orders?').reasons).toContain('a short question, not a request');
});

test('ADP-3 the time for a long request grows with its length', () => {
  for (const piece of ['a-', "a'", 'a_', 'a.', '"', 'aA'])
    expect(cpuTime(() => assessVagueness(piece.repeat(200_000)))).toBeLessThan(2000);
});
