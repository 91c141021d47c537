import { describe, expect, test } from 'vitest';
import type { EndReason } from '../../../src/agents/driver.ts';
import { isResumable, RESUME_PAUSES, retryAfter } from '../../../src/agents/run/patience.ts';

const patience = { outage: [10, 20], crash: [5] };

describe('HEAR-5 what happens to a run whose agent did not finish', () => {
  test.each<[EndReason, number | undefined, (number | false)[]]>([
    ['api_error', 500, [10, 20, false]],
    ['api_error', 529, [10, 20, false]],
    ['api_error', 429, [10, 20, false]],
    ['api_error', undefined, [10, 20, false]],
    ['api_error', 401, [false]],
    ['api_error', 403, [false]],
    ['api_error', 404, [false]],
    ['api_error', 400, [false]],
    ['crashed', undefined, [5, false]],
    ['failed', undefined, [false]],
    ['ok', undefined, [false]],
    ['stopped', undefined, [false]],
    ['timed_out', undefined, [false]],
    ['missing', undefined, [false]],
  ])('after %s (%s) it is resumed by itself after %j ms', (reason, apiStatus, waits) => {
    expect(waits.map((_, tries) => retryAfter({ reason, apiStatus }, tries, patience))).toEqual(waits);
  });

  test('the run waits a quarter of an hour for an outage to end, and at most half an hour', () => {
    const total = RESUME_PAUSES.outage.reduce((sum, wait) => sum + wait, 0);
    expect(total).toBeGreaterThan(15 * 60_000);
    expect(total).toBeLessThan(30 * 60_000);
  });

  test.each<[EndReason, string]>([
    ['ok', 'never'],
    ['parked', 'always'],
    ['stopped', 'always'],
    ['api_error', 'with a session'],
    ['crashed', 'with a session'],
    ['missing', 'with a session'],
    ['timed_out', 'with a session'],
    ['interrupted', 'with a session'],
    ['no_result', 'with a session'],
    ['session_lost', 'with an answer to bring'],
    ['too_many_rounds', 'with an answer to bring'],
    ['cannot_ask', 'with an answer to bring'],
  ])('a run that ended with %s can be resumed %s', (reason, when) => {
    const nothing = { hasSession: false, hasUndelivered: false, hasModelOutput: false, startsOver: false };
    expect(isResumable(reason, nothing)).toBe(when === 'always');
    expect(isResumable(reason, { ...nothing, hasSession: true })).toBe(
      when === 'always' || when === 'with a session',
    );
    expect(isResumable(reason, { ...nothing, hasUndelivered: true })).toBe(when !== 'never');
  });

  test('a session whose agent says that it failed is kept, unless it failed at once', () => {
    const known = { hasSession: true, hasUndelivered: false, hasModelOutput: true, startsOver: false };
    expect(isResumable('failed', known)).toBe(true);
    expect(isResumable('failed', { ...known, hasModelOutput: false })).toBe(false);
    expect(isResumable('failed', { ...known, hasModelOutput: false, hasUndelivered: true })).toBe(true);
  });

  test('if another agent would start over after a failure, the session is kept only for an undelivered answer', () => {
    const known = { hasSession: true, hasUndelivered: false, hasModelOutput: true, startsOver: true };
    for (const reason of ['failed', 'timed_out'] as const) {
      expect(isResumable(reason, known)).toBe(false);
      expect(isResumable(reason, { ...known, hasUndelivered: true })).toBe(true);
    }
    expect(isResumable('crashed', known)).toBe(true);
  });
});
