import { afterEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../src/ledger/ids.ts';

describe('ids', () => {
  afterEach(() => vi.useRealTimers());

  const at = (second: number) => {
    vi.useFakeTimers({ now: second * 1000 });
    return newId('n');
  };

  it('are easy to type: twelve characters, without letters that look like digits', () => {
    for (let n = 0; n < 1000; n++) expect(newId('n')).toMatch(/^n-[0-9a-hjkmnp-tv-z]{10}$/);
  });

  it('of the same second begin alike, and those of the next differ', () => {
    const beginnings = Array.from({ length: 1024 }, (_, n) => at(1_800_000_000 + n).slice(0, 4));
    expect(new Set(beginnings).size).toBe(1024);
    for (const [n, beginning] of beginnings.slice(1).entries())
      expect(beginning[2]).not.toBe(beginnings[n]?.[2]);
    expect(at(1_800_000_000).slice(0, 4)).toBe(beginnings[0]);
    expect(at(1_800_001_024).slice(0, 4)).toBe(beginnings[0]);
  });

  it('of the same millisecond are unique, and sorted as they were made', () => {
    vi.useFakeTimers({ now: 1_800_000_000_000 });
    const ids = Array.from({ length: 1000 }, () => newId('n'));
    expect(new Set(ids).size).toBe(1000);
    expect(ids.toSorted()).toEqual(ids);
  });

  it('are not what another process makes at the same moment', () => {
    const made = [1, 2].map(() => {
      at(1_800_000_001);
      return at(1_800_000_000);
    });
    expect(made[0]).not.toBe(made[1]);
  });
});
