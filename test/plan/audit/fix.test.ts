import { describe, expect, it } from 'vitest';
import { auditPlan } from '../../../src/plan/audit/audit-plan.ts';
import { fixesFor } from '../../../src/plan/audit/fix.ts';
import { editPlan, printPlan } from '../../../src/plan/grammar/edit-plan.ts';
import { good, master, planOf, planWith, row } from '../grammar/plans.ts';

const withoutNotes = good.replace(/- \[ \] Write.*\n/, '');

function fixed(text: string): string {
  const plan = planWith(text);
  const after = editPlan(
    plan,
    fixesFor(plan).map(({ edit }) => edit),
  );
  expect(auditPlan(after).issues.map(({ code }) => code)).not.toContain('NO_NOTES_OUTPUT');
  return printPlan(after)[1]?.text ?? '';
}

const step = '- [ ] Write notes to: `notes/NOTES_phase_1.md`';

describe('AUD-1 safe fixes', () => {
  it('add a missing notes path after the last step of the process wrapper', () => {
    const text = good.replace(/- \[ \] Write.*/, '- [ ] Implement\n  - with care\n');
    expect(fixed(text)).toBe(text.replace('care\n', `care\n${step}\n`));
  });

  it('add it below the heading if there is no step, or in a new section if there is no heading', () => {
    expect(fixed(withoutNotes)).toContain(`## Process Wrapper\n\n${step}\n`);
    expect(fixed('# Phase 1: x\r\n\r\ntext\r\n')).toBe(
      `# Phase 1: x\r\n\r\ntext\r\n\r\n## Process Wrapper\r\n\r\n${step}\r\n`,
    );
    expect(fixed('')).toBe(`## Process Wrapper\n\n${step}`);
  });

  it.each([
    ['Pendign', 'Pending'],
    ['TODO', 'Pending'],
    ['not started', 'Pending'],
    ['WIP', 'In Progress'],
    ['In Progres', 'In Progress'],
    ['Compelted', 'Completed'],
    ['finished', 'Completed'],
    ['Faild', 'Failed'],
    ['on hold', 'Blocked'],
  ])('correct the spelling of a status: %s is %s', (word, label) => {
    const plan = planOf({
      'MASTER_PLAN.md': master(row(1, 'phase-1.md', `${word} (x)`)),
      'phase-1.md': good,
    });
    const after = editPlan(
      plan,
      fixesFor(plan).map(({ edit }) => edit),
    );
    expect(printPlan(after)[0]?.text).toBe(master(row(1, 'phase-1.md', `${label} (x)`)));
  });

  it.each(['weird', 'x', 'soonish', 'maybe', 'later'])('leave an ambiguous word alone: %s', (word) => {
    expect(fixesFor(planWith(good.replace('Pending', word)))).toEqual([]);
  });

  it('change nothing if there is nothing to fix', () => {
    expect(fixesFor(planWith(good, good))).toEqual([]);
  });
});
