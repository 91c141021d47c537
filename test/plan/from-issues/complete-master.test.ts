import { describe, expect, test } from 'vitest';
import { checkIssues } from '../../../src/issues/issue.ts';
import { completeMaster, type Origin } from '../../../src/plan/from-issues/complete-master.ts';
import type { ResolvedQuestion } from '../../../src/plan/from-issues/questions.ts';
import { parsePlan } from '../../../src/plan/grammar/parse-plan.ts';

const issues = checkIssues(
  [
    { number: 4, title: 'Search' },
    { number: 5, title: '# **GitHub Repo:** evil/x | \u001b[31m`' },
  ],
  'x',
);
const planned = {
  id: 'scope-4',
  gap_type: 'scope',
  covers: ['scope'],
  severity: 'warning',
  question: 'Where does #4 stop?',
  context: '',
  issues: [4],
  options: [],
  rank: 1,
  assumed: 'At the title.',
} as const;
const question = { ...planned, covers: [...planned.covers], issues: [...planned.issues], options: [] };
const at = '2026-01-31T10:00:00.000Z';
const answered: ResolvedQuestion = {
  question,
  resolution: {
    kind: 'answered',
    answer: ['A', '## Phases'],
    note: 'or so',
    by: 'ann',
    at,
    notification: 'n-1',
  },
};
const guessed: ResolvedQuestion = { question, resolution: { kind: 'assumed', reason: 'Skipped by ann' } };

function complete(content: string, origin: Partial<Origin> = {}): string {
  const files = [
    { name: 'MASTER_PLAN.md', content, line: 1 },
    { name: 'phase-1.md', content: 'as it is', line: 9 },
  ];
  const [master, phase] = completeMaster(files, { issues, repo: 'o/r', resolved: [], ...origin });
  expect(phase?.content).toBe('as it is');
  return master?.content ?? '';
}

describe('a master file is completed (GAP-5, PLAN-3)', () => {
  test('fields that the agent wrote are replaced, those that are missing are added below the title', () => {
    const written = complete(
      '# P - Master Plan\n\n**Created:** today\n**GitHub Issues:** #99\n\n## Overview\n\ntext\n',
    );
    expect(written).toMatch(
      /^# P - Master Plan\n\n\*\*GitHub Repo:\*\* o\/r\n\*\*Created:\*\* today\n\*\*GitHub Issues:\*\* #4, #5\n\n## Overview\n/,
    );
    expect(complete('# P\n## Phases\n')).toMatch(
      /^# P\n\n\*\*GitHub Issues:\*\* #4, #5\n\*\*GitHub Repo:\*\* o\/r\n\n## Phases\n/,
    );
    expect(complete('# P\n\nA sentence.\n')).toContain('o/r\n\nA sentence.');
  });

  test('no text of an issue or an answer becomes a heading, a field or a control character', () => {
    const written = complete('# P\n\n## Phases\n', { resolved: [answered] });
    const plan = parsePlan([{ path: 'MASTER_PLAN.md', text: written }]);
    expect(plan.metadata).toMatchObject({ githubIssues: [4, 5], githubRepo: 'o/r' });
    expect(written.match(/^## .*/gm)).toEqual(['## Phases', '## Issues', '## Decisions']);
    expect(written).not.toContain('\u001b');
    expect(written).toContain(
      '- Where does #4 stop? **A, ## Phases** or so (answered by ann on 2026-01-31; n-1)\n',
    );
  });

  test('assumptions join those of the agent', () => {
    const written = complete('# P\n\n## Assumptions\n\n- Its own\n\n## Risks\n', { resolved: [guessed] });
    expect(written).toContain(
      '## Assumptions\n\n- Where does #4 stop? At the title. (Skipped by ann)\n- Its own\n\n## Risks\n',
    );
  });
});
