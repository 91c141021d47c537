import { describe, expect, it } from 'vitest';
import { planFiles, readDecomposition } from '../../src/plan/decompose.ts';
import { parsePlan } from '../../src/plan/grammar/parse-plan.ts';
import { freshPlace } from '../work/support/repository.ts';

const PHASE = {
  title: 'Tables | and *stars*',
  dependsOn: [],
  tasks: ['Make `orders`'],
  gates: [{ name: 'tests', command: 'npm test' }],
  criteria: ['An order is kept'],
};
const NEXT = {
  ...PHASE,
  title: 'Pages',
  dependsOn: [0],
  gates: [{ name: 'ticks', command: 'test `date +%Y` -gt 1' }],
};
const ANSWER = { title: 'Shop', overview: 'It sells.', phases: [PHASE, NEXT] };

describe('a decomposed plan', () => {
  it('ROLE-1 is read back as it was given', () => {
    const files = planFiles(ANSWER, '2026-01-31').map(({ name, content }) => ({ path: name, text: content }));
    const plan = parsePlan(files);
    expect(plan.problems).toEqual([]);
    expect(
      plan.phases.map(({ id, title, dependsOn }) => [id, title, dependsOn.map((each) => each.id)]),
    ).toEqual([
      ['1', 'Tables | and *stars*', []],
      ['2', 'Pages', ['1']],
    ]);
    expect(plan.phases.map(({ file }) => file?.gates.map(({ command }) => command))).toEqual([
      ['npm test'],
      ['test `date +%Y` -gt 1'],
    ]);
    expect(plan.phases[0]?.file?.tasks).toMatchObject([{ id: '1.1', text: expect.stringContaining('Make') }]);
    expect(plan.phases[0]?.file?.criteria).toMatchObject([{ id: 'AC-1', text: 'An order is kept' }]);
  });

  it('ROLE-1 passes the audit, or gets the findings of the audit', () => {
    const folder = freshPlace();
    expect(readDecomposition(JSON.stringify(ANSWER), folder, '2026-01-31')).toMatchObject({ kind: 'answer' });
    const without = { ...ANSWER, phases: [{ ...PHASE, gates: [] }] };
    expect(readDecomposition(JSON.stringify(without), folder, '2026-01-31')).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining('MISSING_GATES'),
    });
  });
});
