import { describe, expect, it } from 'vitest';
import { analyzeIssues } from '../../../src/issues/gaps/analyze.ts';
import { gapLabels } from '../../../src/issues/gaps/gap.ts';
import { issuesFromJson } from '../../../src/issues/issue.ts';
import { report } from './support.ts';
import vectors from './vectors/gaps.json' with { type: 'json' };

/** Observed behaviour of an ancestor, in our words. docs/contributors/vector-differences.md lists where we differ. */
describe('vectors of gaps', () => {
  it.each(vectors)('GAP-2 $name', ({ issue, has, lacks, asks }) => {
    const { gaps } = report(issue);
    const types: string[] = gaps.map((gap) => gap.gap_type);
    for (const type of has) expect(types).toContain(type);
    for (const type of lacks) expect(types).not.toContain(type);
    if (asks) expect(gaps[0]?.question).toContain(asks);
  });

  it('GAP-3 over several issues, critical ones come first; a complete one adds nothing', () => {
    const complete = {
      number: 42,
      title: 'Add user authentication with JWT',
      body: '## Problem\n\nAnybody can read everything today.\n\n## Solution\n\nTokens, with Python and FastAPI.\n\n## Acceptance Criteria\n\n- [ ] Users can register with email and password\n- [ ] Users can log in and receive a token\n\n## Dependencies\n\nThis depends on #40 (database setup).\n\n## Testing\n\n- Unit tests with pytest (>80% coverage)\n',
    };
    const { issues, questions } = analyzeIssues([
      { number: 1, title: 'Fix item', body: 'The item needs to be updated.' },
      complete,
    ]);
    expect(issues.map(({ gaps }) => gaps.length > 0)).toEqual([true, false]);
    expect(issues[1]?.score).toBe(100);
    expect(questions.every((question) => question.issues.join() === '1')).toBe(true);
    expect(questions[0]?.severity).toBe('critical');
  });

  it('GAP-2 without issues there are no questions', () => {
    expect(analyzeIssues([])).toEqual({ issues: [], questions: [], assumptions: [] });
  });

  it('GAP-3 the label of a question comes from its gap, never from words of the title', () => {
    expect(gapLabels).toMatchObject({
      tech_stack: 'Tech Stack',
      validation: 'Testing / Validation',
      scope: 'Scope / Requirements',
      context: 'Problem Context',
      general: 'Details',
    });
    const [test] = report({ title: 'Test flakiness', body: 'As discussed in the call.' }).gaps.filter(
      (gap) => gap.gap_type === 'context',
    );
    expect(test?.question).toContain('#1 "Test flakiness"');
  });

  it('GAP-6 each question has its text, gap, context and issues', () => {
    const { questions } = analyzeIssues([{ number: 7, title: 'Add block editor', body: 'We want it.' }]);
    for (const question of questions) {
      expect(question).toMatchObject({
        id: expect.any(String),
        context: expect.any(String),
        options: expect.any(Array),
        issues: [7],
      });
      expect(question.question).toContain('#7 "Add block editor"');
    }
    expect(questions.flatMap(({ covers }) => covers).sort()).toEqual(['acceptance_criteria', 'validation']);
  });

  it('GAP-1 empty output of gh means no issues, broken output is an error', () => {
    expect(issuesFromJson('', 'gh')).toEqual([]);
    expect(() => issuesFromJson('{oops', 'gh')).toThrow(/gh, line 1, column 2: not valid JSON/);
  });
});
