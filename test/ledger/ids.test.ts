import { afterEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../src/ledger/ids.ts';

describe('ids', () => {
  afterEach(() => vi.useRealTimers());

  const at = (second: number) => {
    vi.useFakeTimers({ now: second * 1000 });
    return newId('n');
  };

  it('can be typed: no letters that look like digits, twelve characters in all', () => {
    for (let n = 0; n < 1000; n++) expect(newId('n')).toMatch(/^n-[0-9a-hjkmnp-tv-z]{10}$/);
  });

  it('of the same second begin alike, of the next one differently', () => {
    const beginnings = Array.from({ length: 1024 }, (_, n) => at(1_800_000_000 + n).slice(0, 4));
    expect(new Set(beginnings).size).toBe(1024);
    for (const [n, beginning] of beginnings.slice(1).entries())
      expect(beginning[2]).not.toBe(beginnings[n]?.[2]);
    expect(at(1_800_000_000).slice(0, 4)).toBe(beginnings[0]);
    expect(at(1_800_001_024).slice(0, 4)).toBe(beginnings[0]);
  });

  it('are all different, also of one moment', () => {
    vi.useFakeTimers({ now: 1_800_000_000_000 });
    expect(new Set(Array.from({ length: 1000 }, () => newId('n'))).size).toBe(1000);
  });
});
