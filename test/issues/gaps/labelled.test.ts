import { describe, expect, it } from 'vitest';
import { keywordGaps } from '../../../bench/gaps/keyword-baseline.ts';
import { compare, labelled } from '../../../bench/gaps/labelled.ts';
import { GapType } from '../../../src/schema/qa.ts';
import { gapsOf } from './support.ts';

const halves = ['development', 'held-out'] as const;

describe.each(halves)('the labelled issues (%s)', (half) => {
  const set = labelled(half);
  const ours = compare(set.map(({ issue, gaps }) => ({ found: gapsOf(issue), justified: gaps })));
  const keywords = compare(set.map(({ issue, gaps }) => ({ found: keywordGaps(issue), justified: gaps })));

  it('GAP-2 F1 is at least 0.75, far above keywords', () => {
    expect(ours.f1).toBeGreaterThanOrEqual(0.75);
    expect(ours.f1).toBeGreaterThan(2 * keywords.f1);
  });

  it('GAP-2 nine of ten complete issues are left alone, and few questions are asked', () => {
    expect(ours.leftAlone / ours.complete).toBeGreaterThanOrEqual(0.9);
    expect(ours.questions).toBeLessThanOrEqual(1.33 * ours.justified);
    expect(keywords.leftAlone).toBe(0);
  });

  it('GAP-2 are of many kinds and languages, each labelled with known gaps', () => {
    expect(set.length).toBeGreaterThanOrEqual(30);
    expect(set.every(({ gaps }) => gaps.every((gap) => GapType.options.some((type) => type === gap)))).toBe(
      true,
    );
    const foreign = set.filter(({ issue }) =>
      /[\u0370-\u1fff\u2c00-\uffff]|[àâçéèêëîïôûùüäößñáíóúãõ]/.test(
        `${issue.title}${issue.body ?? ''}`.slice(0, 2000),
      ),
    );
    expect(foreign.length).toBeGreaterThanOrEqual(6);
  });
});
