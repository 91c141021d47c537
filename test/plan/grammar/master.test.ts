import { describe, expect, it } from 'vitest';
import { statuses } from '../../../src/plan/grammar/status.ts';
import { master, planOf, problemsOf, row } from './plans.ts';

const read = (text: string) => planOf({ 'MASTER_PLAN.md': text });
const rowsOf = (text: string) => read(text).phases.map(({ row }) => row);
const unreadable = (text: string) =>
  problemsOf(read(text)).filter((line) => line.startsWith('UNREADABLE_ROW'));

describe('PLAN-1 the table of the phases', () => {
  it('has its columns in any order, and keeps those that it does not know', () => {
    const [phase] = rowsOf(`# T

## Phases

| Status | Owner | Title | Risk | # | Focus |
|:-:|---|---|---|---|---|
| **Blocked** | Ann | [Set *up*](phase-1.md) | High | 1 | the \`db\` | left over |
`);
    expect(phase).toMatchObject({
      id: '1',
      title: 'Set up',
      path: 'phase-1.md',
      focus: 'the db',
      risk: 'High',
      status: { status: 'blocked', known: true },
      extra: [
        { name: 'Owner', text: 'Ann' },
        { name: null, text: 'left over' },
      ],
    });
  });

  it.each([
    ['3', '3'],
    ['2.1', '2.1'],
    ['2.10', '2.10'],
    ['2a', '2a'],
    ['2-B', '2-B'],
    ['**4**', '4'],
    ['Phase 5', '5'],
  ])('an id may be %s', (cell, id) => {
    expect(rowsOf(master(`| ${cell} | [A](a.md) | | | |`))).toMatchObject([{ id }]);
  });

  it.each(['', 'x', '1..2', '2.', 'one', '1 2', '-1', '2ab'])('an id may not be "%s"', (cell) => {
    expect(unreadable(master(`| ${cell} | [A](a.md) | | | |`))).toEqual(['UNREADABLE_ROW MASTER_PLAN.md:7']);
  });

  it.each([
    ['[A](<phase one.md>)', 'phase one.md'],
    ['[A](phase%20one.md)', 'phase one.md'],
    ['[A](./sub/../phase-1.md#top)', 'phase-1.md'],
    ['[A](phase-1.md "title")', 'phase-1.md'],
    ['**[A](phase-1.md)**', 'phase-1.md'],
    ['[A](sub\\phase-1.md)', 'sub/phase-1.md'],
    ['[A][file]', 'phase-9.md'],
  ])('a link may be written %s', (cell, path) => {
    const text = `${master(`| 1 | ${cell} | | | |`)}\n[file]: phase-9.md\n`;
    expect(rowsOf(text)).toMatchObject([{ title: 'A', path, outside: false }]);
  });

  it.each([
    '/etc/passwd',
    '../x.md',
    'a/../../x.md',
    'C:/x.md',
    'https://example.org/x.md',
    'file:///etc/passwd',
  ])('a link to %s points outside the folder', (href) => {
    const plan = read(master(`| 1 | [A](${href}) | | | |`));
    expect(plan.phases).toMatchObject([{ path: href, file: undefined }]);
    expect(problemsOf(plan)).toEqual(['PATH_OUTSIDE_PLAN MASTER_PLAN.md:7']);
  });

  it('finds file and title in unusual columns', () => {
    const beside = '# T\n\n## Phases\n\n| Id | Name | File |\n|---|---|---|\n| 1 | Start | phase-1.md |\n';
    expect(rowsOf(beside)).toMatchObject([{ id: '1', title: 'Start', path: 'phase-1.md' }]);
    const together =
      '# T\n\n## Phases\n\n| Phase | Status |\n|---|---|\n| [Phase 2: Go on](two.md) | Done |\n';
    expect(rowsOf(together)).toMatchObject([{ id: '2', title: 'Go on', path: 'two.md' }]);
  });

  it('may be in several parts, under headings of its own', () => {
    const part = (number: number) => `### Part ${number}\n\n| Phase | Title |\n|---|---|\n${row(number)}\n\n`;
    const plan = read(`# T\n\n## 📋 Phases (all)\n\n${part(1)}${part(2)}## Other\n\n${part(3)}`);
    expect(plan.phases.map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('leaves code, comments, quotes and other tables alone', () => {
    const text = `# T

## Phases

\`\`\`
${row(1)}
\`\`\`

<!--
| Phase | Title |
|---|---|
${row(2)}
-->

> | Phase | Title |
> |---|---|
> ${row(3)}

| Phase | Title |
|---|---|
${row(4)}

| Word | Meaning |
|---|---|
| 5 | [five](five.md) |
`;
    expect(read(text).phases.map(({ id }) => id)).toEqual(['4']);
    expect(unreadable(text)).toEqual([]);
  });
});

describe('PLAN-1 an unreadable row is reported with its line', () => {
  it('if the table has no headings', () => {
    expect(unreadable(`# T\n\n## Phases\n\n${row(1)}\n${row(2)}\n`)).toEqual([
      'UNREADABLE_ROW MASTER_PLAN.md:5',
      'UNREADABLE_ROW MASTER_PLAN.md:6',
    ]);
    expect(unreadable(`# T\n\n## Phases\n\n|---|---|---|---|---|\n${row(1)}\n`)).toHaveLength(1);
  });

  it('if the first phase is in the place of the headings', () => {
    expect(unreadable(`# T\n\n## Phases\n\n${row(1)}\n|---|---|---|---|---|\n${row(2)}\n`)).toEqual([
      'UNREADABLE_ROW MASTER_PLAN.md:5',
      'UNREADABLE_ROW MASTER_PLAN.md:7',
    ]);
  });

  it('if an empty line cuts it off', () => {
    expect(unreadable(`${master(row(1))}\n${row(2)}\n`)).toEqual(['UNREADABLE_ROW MASTER_PLAN.md:9']);
  });

  it('if text follows without an empty line', () => {
    expect(unreadable(`${master(row(1))}And that was it.\n`)).toEqual(['UNREADABLE_ROW MASTER_PLAN.md:8']);
  });

  it('if the link does not point to a file', () => {
    expect(unreadable(master('| 1 | [A](#a) | | | |'))).toHaveLength(1);
  });

  it('and phases that depend on it are not reported separately', () => {
    const plan = planOf({
      'MASTER_PLAN.md': master('| 1 | no link | | | |', row(2)),
      'phase-2.md': '**Depends On:** Phase 1',
    });
    expect(problemsOf(plan)).toEqual(['UNREADABLE_ROW MASTER_PLAN.md:7']);
  });
});

describe('PLAN-1 a status', () => {
  const statusOf = (cell: string) => read(master(row(1, 'a.md', cell))).phases[0]?.status;

  it.each([
    ['pending', 'Pending', 'PENDING', '⏳ Pending', '⏳', '', '-', 'n/a'],
    [
      'running',
      'In Progress',
      'in-progress',
      'IN_PROGRESS',
      'inprogress',
      '🔄 running',
      '**In progress** (50 %)',
    ],
    ['validating', 'Validating', '🔍 validating'],
    [
      'completed',
      'Complete',
      'completed',
      'Done',
      '✅ DONE',
      '✅',
      ':white_check_mark: done',
      'Done, 2026-01-01',
    ],
    ['failed', 'Failed', '❌ failed'],
    ['blocked', 'Blocked', 'blocked: no access'],
    ['awaiting_human', 'Awaiting', 'awaiting human', 'AWAITING_HUMAN'],
  ])('is %s however it is written', (status, ...cells) => {
    expect(statuses).toContain(status);
    for (const cell of cells) expect([cell, statusOf(cell)]).toEqual([cell, status]);
  });

  it('that is missing is not reported as unknown', () => {
    for (const cell of ['', '-', 'n/a', 'TBD', '⏳'])
      expect(problemsOf(read(master(row(1, 'a.md', cell)))), cell).toEqual([
        'PHASE_NOT_FOUND MASTER_PLAN.md:7',
      ]);
  });

  it('of the phase file counts if it is further along; a disagreement is reported', () => {
    const status = (inTable: string, inFile: string) =>
      planOf({ 'MASTER_PLAN.md': master(row(1, 'a.md', inTable)), 'a.md': `**Status:** ${inFile}\n` });
    expect(status('Pending', 'Done').phases[0]?.status).toBe('completed');
    expect(status('Done', 'Pending').phases[0]?.status).toBe('completed');
    expect(status('Failed', 'Done').phases[0]?.status).toBe('completed');
    expect(status('Done', 'done').problems).toEqual([]);
    expect(problemsOf(status('Failed', 'Done'))).toEqual(['STATUS_DISAGREES a.md:1']);
  });
});

describe('PLAN-3 metadata', () => {
  const metadata = (text: string) => read(`# T\n\n${text}\n`).metadata;

  it('is bold or plain, with a colon inside or outside', () => {
    expect(
      metadata(`**Created:** 2026-01-31
**GitHub Issues**: #10, #11, https://github.com/o/r/issues/12
**GitHub Repo:** [owner/repo](https://github.com/owner/repo)
**Jira:** PROJ-1, OPS-22`),
    ).toEqual({
      githubIssues: [10, 11, 12],
      githubRepo: 'owner/repo',
      created: '2026-01-31',
      jiraIssues: ['PROJ-1', 'OPS-22'],
    });
  });

  it('may end as a sentence does', () => {
    expect(metadata('**GitHub Issues:** #10 and #11.')).toMatchObject({ githubIssues: [10, 11] });
    expect(metadata('**GitHub Issues:** #10 (see v1.2)')).toMatchObject({ githubIssues: [10] });
  });

  it('is read from front matter, several in a line, in a list and in a quote', () => {
    const text =
      '---\ngithub_issues: [1, 2]\n---\n# T\n\n> **Created:** today | **GitHub Repo:** a/b.git\n\n- **Jira Issues:** X-1\n';
    expect(read(text)).toMatchObject({ title: 'T', metadata: { githubIssues: [1, 2] } });
    expect(read(text).metadata).toEqual({
      githubIssues: [1, 2],
      githubRepo: 'a/b',
      created: 'today',
      jiraIssues: [],
    });
    expect(metadata('- **Jira Issues:** PROJ-1')).toMatchObject({ jiraIssues: ['PROJ-1'] });
  });

  it('is ignored in a sentence, in code, and if its value is "none"', () => {
    expect(metadata('## Text\n\nGitHub Issues: #7\n\n```\n**GitHub Issues:** #8\n```')).toMatchObject({
      githubIssues: [],
    });
    expect(read('# T\n\n**GitHub Issues:** N/A\n').problems).toEqual([]);
  });

  it('is reported if it cannot be read', () => {
    expect(problemsOf(read('# T\n\n**GitHub Issues:** soon\n**Jira:** soon\n'))).toEqual([
      'UNREADABLE_METADATA MASTER_PLAN.md:3',
      'UNREADABLE_METADATA MASTER_PLAN.md:4',
    ]);
  });
});
