import { describe, expect, it } from 'vitest';
import {
  attention,
  type Labelled,
  labelled,
  quality,
  recordings,
  sets,
} from '../../../bench/gaps/labelled.ts';
import { gapsOf } from './support.ts';

const judged = (issues: Labelled[]) =>
  issues.map(({ title, body, labels, gaps }) => ({
    found: gapsOf({ title, body, labels }),
    justified: gaps,
  }));

describe('real issues', () => {
  const issues = labelled(sets.real);
  const pairs = judged(issues);

  it('ATT-2 the rules alone reach an F1 of 0.7', () => {
    expect(quality(pairs).f1).toBeGreaterThanOrEqual(0.7);
  });

  it('ATT-2 GAP-2 at least 16 of 17 complete issues are left alone, and 16 of 22 others asked about', () => {
    const { complete, leftAlone, askedAbout } = attention(pairs);
    expect(complete).toBe(17);
    expect(leftAlone).toBeGreaterThanOrEqual(16);
    expect(askedAbout).toBeGreaterThanOrEqual(16);
  });

  it('ATT-2 each recording of a model answers all of them', () => {
    const ids = issues.map(({ id }) => id).sort();
    for (const { gaps } of recordings()) expect(Object.keys(gaps).sort()).toEqual(ids);
  });
});

describe('short issues', () => {
  const pairs = judged(labelled(sets.short));

  it('GAP-2 are asked about if they leave something open, whatever it is', () => {
    const { complete, askedAbout } = attention(pairs);
    expect(askedAbout).toBe(pairs.length - complete);
    expect(quality(pairs).recall).toBeGreaterThanOrEqual(0.95);
  });

  it('GAP-2 are left alone if they say enough in few words, with two known exceptions', () => {
    const { complete, leftAlone } = attention(pairs);
    expect(leftAlone).toBeGreaterThanOrEqual(complete - 2);
  });
});
