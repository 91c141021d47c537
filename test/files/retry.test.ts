import { describe, expect, test } from 'vitest';
import { retry } from '../../src/files/retry.ts';

const once = { pauses: [1] };
const always = () => true;

/** Fails as often as given, then succeeds. */
function failing(times: number) {
  let left = times;
  return () => {
    if (left-- > 0) throw new Error(`failure ${times - left}`);
    return 'done';
  };
}

describe('WORK-10 retry', () => {
  const ifFailed = ({ error }: { error?: unknown }) => error !== undefined;

  test('runs an attempt again while its error is worth it, and reports the first failure and the recovery', async () => {
    const told: string[] = [];
    const watch = {
      onRetry: ({ error }: { error?: unknown }, failures: number) =>
        told.push(`${failures}: ${(error as Error).message}`),
      onRecovery: () => told.push('recovered'),
    };
    expect(await retry({ pauses: [1], times: 3 }, ifFailed, failing(2), watch)).toBe('done');
    expect(told).toEqual(['1: failure 1', '2: failure 2', 'recovered']);
  });

  test('throws the last error when the schedule is over, and any error that is not worth a retry at once', async () => {
    await expect(retry({ pauses: [1, 1] }, ifFailed, failing(9))).rejects.toThrow('failure 3');
    await expect(retry(once, () => false, failing(9))).rejects.toThrow('failure 1');
  });

  test('returns the last value if a value is what it retries, without a recovery', async () => {
    const values = [1, 2, 3];
    const onRecovery = () => expect.unreachable();
    const isSmall = ({ value = 0 }: { value?: number }) => value < 3;
    expect(await retry(once, isSmall, () => values.shift() ?? 0, { onRecovery })).toBe(2);
  });

  test('waits as long as the outcome says instead of as long as planned', async () => {
    const patient = { pauses: [600_000], times: 3 };
    expect(await retry(patient, ({ error }) => error !== undefined && 0, failing(3))).toBe('done');
  });

  test('stops after its time', async () => {
    const begun = performance.now();
    await expect(retry({ pauses: [5], forMs: 40 }, always, failing(1e6))).rejects.toThrow('failure');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(40);
  });

  test('a signal ends the waiting, and the last outcome counts', async () => {
    const stop = new AbortController();
    const watch = { signal: stop.signal, onRetry: () => stop.abort() };
    await expect(retry({ pauses: [600_000], forMs: Infinity }, always, failing(9), watch)).rejects.toThrow(
      'failure 1',
    );
  });
});
