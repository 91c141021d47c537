import { describe, expect, it } from 'vitest';
import { auditPlan } from '../../../src/plan/audit/audit-plan.ts';
import type { Surroundings } from '../../../src/plan/audit/rule.ts';
import type { Plan } from '../../../src/plan/grammar/plan.ts';
import { longTest } from '../../support/long-test.ts';
import { good, master, planOf, planWith, row } from '../grammar/plans.ts';
import vectors from '../vectors/audit.json' with { type: 'json' };

const surroundings: Surroundings = {
  programs: new Set(['npm', 'make', './check.sh']),
  scripts: new Set(['test', 'lint']),
  agents: new Set(['mine']),
};

/** `CODE file:line:column` of each issue. */
function issues(plan: Plan, around: Surroundings = {}): string[] {
  return auditPlan(plan, around).issues.map(
    ({ code, file, line, column }) => `${code} ${file}:${line}:${column}`,
  );
}

const withGate = (gate: string) => planWith(good.replace(/- tests: .*/, `- gate: ${gate}`));
const only = (code: string, plan: Plan, around: Surroundings = surroundings) =>
  issues(plan, around).filter((issue) => issue.startsWith(code));

describe('vectors of the audit', () => {
  it.each(vectors)('AUD-2 $name', ({ files, phases, errors }) => {
    const texts = Object.entries(phases ?? {}).map(([id, text]) => [`phase-${id}.md`, text]);
    const table = master(...Object.keys(phases ?? {}).map((id) => row(id)));
    const all: Record<string, string> = files ?? { 'MASTER_PLAN.md': table, ...Object.fromEntries(texts) };
    const filled = Object.entries(all).map(([path, text]) => [path, text.replace('$good', good)]);
    const { passed, issues } = auditPlan(planOf(Object.fromEntries(filled)), { agents: new Set() });
    const found = issues
      .filter(({ severity }) => severity === 'error')
      .map(({ code, file }) => `${code} ${file}`);
    expect(found).toEqual(errors);
    expect(passed).toBe(errors.length === 0);
  });

  longTest('AUD-2 1,000 phases that wait for the next one pass', () => {
    const phases = Array.from({ length: 1000 }, (_, i) =>
      i < 999 ? `**Depends On:** Phase ${i + 2}\n${good}` : good,
    );
    const { passed, summary } = auditPlan(planWith(...phases));
    expect({ passed, summary }).toEqual({
      passed: true,
      summary: { phases: 1000, gates: 1000, errors: 0, warnings: 999 },
    });
  });
});

describe('AUD-1 an audit', () => {
  it('finds nothing in a good plan', () => {
    expect(auditPlan(planWith(good, good), surroundings)).toEqual({
      passed: true,
      summary: { phases: 2, gates: 2, errors: 0, warnings: 0 },
      issues: [],
    });
  });

  it('names severity, code, message, file, line, column and suggestion, in the order of the files', () => {
    const plan = planOf({
      'MASTER_PLAN.md': master(row(2), row(1), '| x | [A](a.md) | | | |'),
      'phase-1.md': `# Phase 1: x\n\n**Status:** nearly\n**Depends On:** Phase 9\n`,
      'phase-2.md': `${good}\n## Acceptance Criteria\n- AC-1: it works\n`,
    });
    const { issues: found } = auditPlan(plan);
    expect(
      found.map(({ severity, code, file, line, column }) => [severity, code, file, line, column]),
    ).toEqual([
      ['error', 'UNREADABLE_ROW', 'MASTER_PLAN.md', 9, 1],
      ['warning', 'UNCOVERED_CRITERION', 'phase-2.md', 15, 1],
      ['error', 'MISSING_GATES', 'phase-1.md', 1, 1],
      ['error', 'NO_NOTES_OUTPUT', 'phase-1.md', 1, 1],
      ['warning', 'TASKLESS_PHASE', 'phase-1.md', 1, 1],
      ['warning', 'UNKNOWN_STATUS', 'phase-1.md', 3, 13],
      ['error', 'MISSING_DEPENDENCY', 'phase-1.md', 4, 17],
    ]);
    for (const { message, suggestion } of found) {
      expect(message).not.toBe('');
      expect(suggestion).not.toBe('');
    }
  });

  it('reports nothing about surroundings that it does not know', () => {
    expect(issues(planWith(`${good}**AGENT:ghost**\n`.replace('npm test', 'nonsense')))).toEqual([]);
  });
});

describe("AUD-2 the seed's five checks", () => {
  it('MISSING_GATES is at the heading, or at the title if there is none', () => {
    expect(
      only('MISSING', planWith('# Phase 1: x\n\nWrite notes to `notes/a.md`\n\n## Gates\n\nnone\n')),
    ).toEqual(['MISSING_GATES phase-1.md:5:1']);
    expect(only('MISSING', planWith('\n# Phase 1: x\n'))).toEqual(['MISSING_GATES phase-1.md:2:1']);
  });

  it('NO_NOTES_OUTPUT is an error with the sentence of the seed', () => {
    const { issues } = auditPlan(planWith(good, good.replace(/- \[ \] Write.*\n/, '')));
    expect(issues).toMatchObject([
      { severity: 'error', code: 'NO_NOTES_OUTPUT', file: 'phase-2.md', line: 5 },
    ]);
    expect(issues[0]?.message).toBe('Phase 2 has no notes output path.');
    expect(issues[0]?.suggestion).toContain('notes/NOTES_phase_2.md');
  });

  it('CIRCULAR_DEPENDENCY has the path, and points to where the cycle begins', () => {
    const wait = (id: number) => `**Depends On:** Phase ${id}\n${good}`;
    const { issues } = auditPlan(planWith(wait(2), wait(3), wait(1), wait(4)));
    expect(issues.map(({ message, file, line, column }) => [message, file, line, column])).toEqual([
      ['Circular dependency: 1 -> 2 -> 3 -> 1', 'phase-1.md', 1, 17],
      ['Phase 4 depends on itself.', 'phase-4.md', 1, 17],
    ]);
  });
});

describe('AUD-3 further errors', () => {
  it('MASTER_NOT_FOUND and MASTER_PARSE_ERROR are the only issue', () => {
    expect(issues(planOf({}))).toEqual(['MASTER_NOT_FOUND MASTER_PLAN.md:1:1']);
    expect(issues(planOf({ 'MASTER_PLAN.md': master(), 'master_plan.md': master() }))).toEqual([
      'MASTER_PARSE_ERROR MASTER_PLAN.md:1:1',
    ]);
  });

  it('DUPLICATE_PHASE_ID is reported for the second phase, even if its id is written differently', () => {
    const plan = planOf({
      'MASTER_PLAN.md': master(row('2a', 'a.md'), row('2A', 'a.md'), row('02-a', 'a.md')),
      'a.md': good,
    });
    expect(issues(plan)).toEqual([
      'DUPLICATE_PHASE_ID MASTER_PLAN.md:8:1',
      'DUPLICATE_PHASE_ID MASTER_PLAN.md:9:1',
    ]);
    expect(
      only('DUPLICATE', planOf({ 'MASTER_PLAN.md': master(row('2.1'), row('2.10'), row('2')) })),
    ).toEqual([]);
  });

  it('PATH_OUTSIDE_PLAN covers links and notes', () => {
    expect(issues(planOf({ 'MASTER_PLAN.md': master(row(1, '../x.md')) }))).toEqual([
      'PATH_OUTSIDE_PLAN MASTER_PLAN.md:7:7',
    ]);
    for (const path of ['/tmp/n.md', '../n.md', 'C:\\n.md'])
      expect(issues(planWith(good.replace('notes/N1.md', path)))).toEqual([
        'PATH_OUTSIDE_PLAN phase-1.md:6:24',
      ]);
  });

  it.each([
    'true',
    ':',
    '`echo ok`',
    'npm test || true',
    'npm test || :',
    'npm test || exit 0',
    'npm test || echo failed',
    'npm test; true',
    'npm test; exit 0',
    'npm test | tee log',
    'npm test &',
    '(npm test || true)',
    'CI=1 true',
    'bash -c "npm test || true"',
    'cd x && npm test || true # never mind',
    'npm test > log 2>&1 || true',
    'all tests pass',
    '/usr/bin/true',
    '`"true"`',
    'npm test || /bin/echo failed',
    '{ npm test; } || true',
    'npm test || { echo failed; true; }',
    '`# npm test`',
  ])('GATE_CANNOT_FAIL: %s', (gate) => {
    expect(only('GATE_CANNOT_FAIL', withGate(gate))).toHaveLength(1);
  });

  it.each([
    'npm test',
    'echo x && npm test',
    'true && npm test',
    'npm run build; npm test',
    'npm test || exit 1',
    '! grep -r TODO src',
    'npm test && npm run lint | tee log',
    'set -o pipefail; npm test | tee log',
    'set -e; npm test; echo done',
    'test "$(echo true)" = x',
    "grep -q '|| true' file",
    'if npm test; then echo ok; else exit 1; fi',
    'npm test || (echo bad; exit 1)',
    'npm run true',
    'bash -c "npm test"',
    '`{command that runs the tests}`',
    '{ npm test; }',
    'npm test || { echo bad; exit 1; }',
    '`npm test || }`',
  ])('no GATE_CANNOT_FAIL: %s', (gate) => {
    expect(only('GATE_CANNOT_FAIL', withGate(gate))).toEqual([]);
  });

  it('MISSING_AGENT is reported once for each agent, with all its files', () => {
    const plan = planWith(`${good}\n**AGENT:ghost**\n**AGENT:Mine**\n`, `${good}\n**AGENT:Ghost**\n`);
    const { issues } = auditPlan(plan, surroundings);
    expect(issues.map(({ message }) => message)).toEqual([
      `Missing custom agent 'ghost', required by phase-1.md, phase-2.md.`,
    ]);
  });
});

describe('AUD-3 warnings', () => {
  it.each([
    ['nosuch --x', 'nosuch'],
    ['npm test && nosuch', 'nosuch'],
    ['CI=1 sudo nosuch', 'nosuch'],
    ['./gone.sh', './gone.sh'],
    ['npm run gone', 'gone'],
    ['npm run test && npm run gone -- --x', 'gone'],
    ['pnpm run gone', 'pnpm'],
  ])('GATE_NOT_RUNNABLE: %s', (gate, missing) => {
    const { issues } = auditPlan(withGate(gate), surroundings);
    expect(issues).toMatchObject([
      { code: 'GATE_NOT_RUNNABLE', severity: 'warning', message: expect.stringContaining(missing) },
    ]);
  });

  it.each([
    'npm test',
    'npm run lint',
    './check.sh a',
    'cd x && make',
    'npm ci',
    'npm --prefix x run gone',
    'npm exec -- tsc',
    'set -e; npm test',
    'test -f x',
    '`{command to be run here}`',
  ])('no GATE_NOT_RUNNABLE: %s', (gate) => {
    expect(only('GATE_NOT_RUNNABLE', withGate(gate))).toEqual([]);
  });

  it('GATE_NOT_RUNNABLE is not reported for scripts without a manifest', () => {
    expect(only('GATE', withGate('npm run gone'), { programs: new Set(['npm']) })).toEqual([]);
  });

  it('UNCOVERED_ISSUE: no phase covers an issue of the plan, in its file, its front matter or its row (BIND-2)', () => {
    const plan = (phase: string, table = master(row(1))) =>
      planOf({
        'MASTER_PLAN.md': table.replace('\n\n', '\n\n**GitHub Issues:** #10, #11, #12\n\n'),
        'phase-1.md': phase,
      });
    const naming = (line: string) => good.replace('**Status:**', `${line}\n**Status:**`);
    const missing = 'UNCOVERED_ISSUE MASTER_PLAN.md:3:20';
    expect(issues(plan(good))).toEqual([missing, missing, missing]);
    expect(issues(plan(naming('**GitHub Issues:** #10, #12')))).toEqual([missing]);
    expect(auditPlan(plan(naming('**GitHub Issues:** #10, #12'))).issues[0]).toMatchObject({
      severity: 'error',
      message: 'No phase covers issue #11.',
      suggestion: expect.stringContaining('**GitHub Issues:** #11'),
    });
    expect(issues(plan(naming('**Issues:** #10, #11 and #12')))).toEqual([]);
    expect(issues(plan(`---\nissues: [10, 11, 12]\n---\n${good}`))).toEqual([]);
    const column = master(row(1))
      .replace('| Status |', '| Status | Issues |')
      .replace('| Pending |', '| Pending | #10, #11, #12 |')
      .replace('-------|\n', '-------|---|\n');
    expect(issues(plan(good, column))).toEqual([]);
    expect(issues(plan(good.replace('Do it', 'Do it, **Issues:** #10, #11, #12')))).toHaveLength(3);
    expect(issues(planWith(naming('**GitHub Issues:** #99')))).toEqual([]);
  });

  it('UNCOVERED_CRITERION: neither a task nor a gate of the phase names it, nor of another phase if the id is unique', () => {
    const criteria = (...ids: string[]) =>
      `\n## Acceptance Criteria\n${ids.map((id) => `- ${id}: x\n`).join('')}`;
    const naming = (id: string) => good.replace('Do it', `Do it (${id})`);
    expect(issues(planWith(good + criteria('AC-1', 'AC-2')))).toEqual([
      'UNCOVERED_CRITERION phase-1.md:15:1',
      'UNCOVERED_CRITERION phase-1.md:16:1',
    ]);
    expect(issues(planWith(naming('AC-1') + criteria('AC-1')))).toEqual([]);
    expect(issues(planWith(naming('AC-10') + criteria('AC-1')))).toHaveLength(1);
    expect(issues(planWith(good + criteria('AC-1'), naming('AC-1')))).toEqual([]);
    expect(issues(planWith(good + criteria('AC-1'), naming('AC-1') + criteria('AC-1')))).toEqual([
      'UNCOVERED_CRITERION phase-1.md:15:1',
    ]);
    expect(
      issues(planOf({ 'MASTER_PLAN.md': master(row(1)) + criteria('AC-7'), 'phase-1.md': good })),
    ).toEqual(['UNCOVERED_CRITERION MASTER_PLAN.md:10:1']);
    expect(issues(planWith(`${good}\n## Acceptance Criteria\n- no id\n`))).toEqual([]);
  });

  it('TASKLESS_PHASE', () => {
    expect(issues(planWith(good.replace('- [ ] Do it', '- Do it')))).toEqual([
      'TASKLESS_PHASE phase-1.md:8:1',
    ]);
  });

  it('DEPENDENCY_AFTER, but not within a cycle', () => {
    const wait = (id: number) => `**Depends On:** Phase ${id}\n${good}`;
    expect(issues(planWith(wait(2), good))).toEqual(['DEPENDENCY_AFTER phase-1.md:1:17']);
    expect(issues(planWith(wait(2), wait(1)))).toEqual(['CIRCULAR_DEPENDENCY phase-1.md:1:17']);
    expect(issues(planWith(good, wait(1)))).toEqual([]);
  });

  it('UNKNOWN_STATUS is reported in the table and in the file', () => {
    const plan = planOf({
      'MASTER_PLAN.md': master(row(1, 'phase-1.md', 'soon')),
      'phase-1.md': good.replace('Pending', 'Pendign'),
    });
    expect(issues(plan)).toEqual(['UNKNOWN_STATUS MASTER_PLAN.md:7:36', 'UNKNOWN_STATUS phase-1.md:3:13']);
    expect(auditPlan(plan).issues[1]?.suggestion).toBe('Write Pending.');
  });

  it('STATUS_DISAGREES points to the status in the file', () => {
    const plan = planOf({ 'MASTER_PLAN.md': master(row(1, 'phase-1.md', 'Failed')), 'phase-1.md': good });
    expect(issues(plan)).toEqual(['STATUS_DISAGREES phase-1.md:3:13']);
    expect(auditPlan(plan)).toMatchObject({ passed: true, summary: { warnings: 1 } });
  });

  it('UNREADABLE_METADATA is reported in the master', () => {
    const text = master(row(1)).replace('## Phases', '**GitHub Repo:** shop\n\n## Phases');
    expect(issues(planOf({ 'MASTER_PLAN.md': text, 'phase-1.md': good }))).toEqual([
      'UNREADABLE_METADATA MASTER_PLAN.md:3:18',
    ]);
  });

  it('NOT_IN_FRONT_MATTER is reported for a person requested in bold, but not in code or front matter', () => {
    const misplaced = good.replace('**Status:**', '**Requires Manual Testing:** yes\n**Status:**');
    const plan = planOf({ 'MASTER_PLAN.md': master(row(1)), 'phase-1.md': misplaced });
    expect(issues(plan)).toEqual(['NOT_IN_FRONT_MATTER phase-1.md:3:30']);
    expect(auditPlan(plan).issues[0]?.suggestion).toContain('requires_manual_testing: yes');
    const fine = `---\nvariants: [A, B]\n---\n\n${good}\n\n\`\`\`\n**variants:** [A, B]\n\`\`\`\n`;
    expect(issues(planOf({ 'MASTER_PLAN.md': master(row(1)), 'phase-1.md': fine }))).toEqual([]);
  });
});
