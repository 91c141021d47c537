import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkIssues } from '../../../src/issues/issue.ts';
import { coveredIssues } from '../../../src/plan/from-issues/complete-master.ts';

const issues = checkIssues(
  [
    { number: 4, title: 'Make the *search* better' },
    { number: 5, title: 'Statistics' },
  ],
  'x',
);

function plan({
  repo = 'N/A',
  numbers = '#4',
  status = 'Completed',
  list = '',
  isEmpty = false,
  named = '',
}) {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-plans-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'p'));
  const row = isEmpty ? '' : `| 1 | [A](phase-1.md) | f | Low | ${status} |`;
  const master = `# P\n\n**GitHub Issues:** ${numbers}\n**GitHub Repo:** ${repo}\n\n## Phases\n\n| Phase | Title | Focus | Risk | Status |\n|---|---|---|---|---|\n${row}\n${list}`;
  writeFileSync(join(folder, 'p/MASTER_PLAN.md'), master);
  writeFileSync(
    join(folder, 'p/phase-1.md'),
    `# Phase 1: A\n\n**Status:** ${status}\n**GitHub Issues:** ${named || numbers}\n`,
  );
  return folder;
}

const numbers = (folder: string, repo?: string) =>
  coveredIssues(issues, repo, [folder, folder, `${folder}-not-there`]).map(({ issue }) => issue.number);
const titles = '\n## Issues\n\n- #1 make the \\*search\\*  better\n- #9 Other\n';

test.each([
  ['by number in the same repository', { repo: 'o/r' }, 'O/R', [4]],
  ['not by the number of another repository', { repo: 'o/other' }, 'o/r', []],
  ['not while a phase is not done', { repo: 'o/r', status: 'In Progress' }, 'o/r', []],
  ['not by a plan without a phase', { repo: 'o/r', isEmpty: true }, 'o/r', []],
  ['by number where the plan has neither repository nor titles', {}, 'o/r', [4]],
  ['not where no phase names them', { repo: 'o/r', numbers: '#4, #5', named: '#5' }, 'o/r', [5]],
  ['of a folder, by title, whatever their numbers', { numbers: '#1', list: titles }, undefined, [4]],
  ['of a folder, by title, only where a phase names them', { numbers: '#9', list: titles }, undefined, []],
  ['of a folder, by number where the plan has no titles', { numbers: '#4, #5' }, undefined, [4, 5]],
])('GAP-7 BIND-2 issues are covered %s', (_, shape, repo, expected) => {
  expect(numbers(plan(shape), repo)).toEqual(expected);
});
