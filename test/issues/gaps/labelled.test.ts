import { describe, expect, it } from 'vitest';
import {
  attention,
  type Labelled,
  labelled,
  quality,
  recordings,
  sets,
} from '../../../bench/gaps/labelled.ts';
import { readJudgement } from '../../../src/issues/analyst/read-judgement.ts';
import { analyzeChecked } from '../../../src/issues/gaps/analyze.ts';
import { checkIssues } from '../../../src/issues/issue.ts';
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

  it('ATT-1 ATT-2 the recorded Analyst, merged with the rules, reaches an F1 of 0.8 with 16 of 17 left alone and 20 of 22 asked about', () => {
    const recording = recordings().find(({ answerAbout }) => answerAbout);
    expect(recording?.isCurrent).toBe(true);
    const given = issues.map(({ title, body, labels }, index) => ({
      number: index + 1,
      title,
      body,
      labels,
    }));
    const checked = checkIssues(given, 'the set');
    const answers = checked.map((issue, index) => {
      const answer = recording?.answerAbout?.(issues[index]?.id ?? '', issue.number) ?? '';
      return readJudgement(answer, [{ issue, hash: '' }], () => undefined);
    });
    const read = answers.flatMap((answer) => (answer.kind === 'answer' ? answer.value : []));
    expect(read).toHaveLength(issues.length);
    const judged = new Map(read.map((each) => [each.number, each]));
    const { questions } = analyzeChecked(checked, { judged, maxQuestions: 1000 });
    const merged = issues.map(({ gaps }, index) => ({
      found: [...new Set(questions.flatMap((each) => (each.issues.includes(index + 1) ? each.covers : [])))],
      justified: gaps,
    }));
    expect(quality(merged).f1).toBeGreaterThanOrEqual(0.8);
    expect(attention(merged).leftAlone).toBeGreaterThanOrEqual(16);
    expect(attention(merged).askedAbout).toBeGreaterThanOrEqual(20);
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
