import { describe, expect, test } from 'vitest';
import { isDebug, requiresManualTesting, variantsOf } from '../../../src/work/phases/front-matter.ts';
import { findPhaseTask, phaseTasks, planKey } from '../../../src/work/phases/phase-task.ts';
import { nextRecord, readImplementation } from '../../../src/work/phases/record.ts';
import { good, master, planOf, row } from '../../plan/grammar/plans.ts';
import { refusedAs } from '../support/plan-place.ts';

const plan = planOf({
  'MASTER_PLAN.md': master(row(1), row('2-A'), row('2-B'), row('3a'), row(4)),
  'phase-1.md': `---\nvariants: [b, A]\nrequires_manual_testing: yes\n---\n${good}`,
  'phase-2-A.md': good,
  'phase-2-B.md': `---\nkind: debug\n---\n${good}`,
  'phase-3a.md': good,
  'phase-4.md': `---\nvariants: : [\n---\n${good}`,
});

describe('CMD-1 phases and their variants', () => {
  test('come from front matter, or from their own rows', () => {
    expect(phaseTasks(plan, 'shop').map(({ taskId }) => taskId)).toEqual([
      'shop/1-A',
      'shop/1-B',
      'shop/2-A',
      'shop/2-B',
      'shop/3a',
      'shop/4',
    ]);
  });

  test.each([
    [['1', 'a'], 'shop/1-A'],
    [['1_B'], 'shop/1-B'],
    [['02'.slice(1), 'B'], 'shop/2-B'],
    [['2-A'], 'shop/2-A'],
    [['3', 'A'], 'shop/3a'],
    [['3a'], 'shop/3a'],
  ])('%j is %s', ([number = '', variant], id) => {
    expect(findPhaseTask(plan, 'shop', number, variant).taskId).toBe(id);
  });

  test.each([
    [['9'], 'not_found'],
    [['0'], 'invalid_number'],
    [['3x4'], 'invalid_number'],
    [['../1'], 'invalid_number'],
    [['-1'], 'invalid_number'],
    [['1', '../A'], 'invalid_variant'],
    [['1', 'AB'], 'invalid_variant'],
    [['1', 'C'], 'not_found'],
    [['1'], 'missing_variant'],
    [['4', 'A'], 'not_found'],
  ])('%j is refused as %s', async ([number = '', variant], type) => {
    expect(await refusedAs(() => findPhaseTask(plan, 'shop', number, variant))).toBe(type);
  });

  test('front matter sets the options of a phase', () => {
    expect(variantsOf({ variants: 3 })).toEqual(['A', 'B', 'C']);
    expect(variantsOf({ variants: 'A, c' })).toEqual(['A', 'C']);
    expect(variantsOf({ variants: [{ a: 1 }, '../x'] })).toEqual([]);
    expect(isDebug({ debug: 'true' })).toBe(true);
    expect(requiresManualTesting({ debug: true })).toBe(true);
    expect(requiresManualTesting({ requires_manual_testing: 'no' })).toBe(false);
  });

  test('hostile front matter has no effect', () => {
    for (const yaml of [
      `a: &a [x]\nb: &b [${'*a,'.repeat(50)}]\nvariants: [${'*b,'.repeat(50)}]`,
      `variants: ${'['.repeat(60_000)}`,
    ]) {
      const hostile = planOf({
        'MASTER_PLAN.md': master(row(1)),
        'phase-1.md': `---\n${yaml}\n---\n${good}`,
      });
      expect(phaseTasks(hostile, 'shop')).toMatchObject([{ front: {}, variants: [] }]);
    }
  });

  test('a plan whose name does not fit into an id has its own key', () => {
    expect(planKey('shop.v2')).toBe('shop.v2');
    expect(planKey('größe')).toMatch(/^gro-e-[0-9a-f]{6}$/);
    expect(planKey('../x')).toMatch(/^x-[0-9a-f]{6}$/);
    expect(planKey('世界')).not.toBe(planKey('世'));
  });
});

describe('CMD-3 records', () => {
  const by = { actor: { kind: 'agent' as const, name: 'x' }, channel: 'command' as const };
  const first = nextRecord([], { walkthrough: 'w1', iteration: 1, reason: undefined }, []);
  const records = [
    {
      id: 1,
      taskId: 't',
      at: '2026-01-01',
      by,
      branch: null,
      kind: 'implementation' as const,
      iteration: 1,
      data: first?.data ?? { type: 'initial' as const, walkthrough: '', reason: null },
    },
  ];

  test.each([
    ['Testing feedback: x', 'testing-refinement'],
    ['Review feedback: x', 'review-refinement'],
    ['because', 'review-refinement'],
  ])('of "%s" it is a %s', (reason, type) => {
    expect(nextRecord(records, { walkthrough: 'w2', iteration: 2, reason }, [])?.data.type).toBe(type);
  });

  test('the first is initial; the same again is nothing; another text for it is refused', async () => {
    expect(first?.data.type).toBe('initial');
    expect(nextRecord(records, { walkthrough: 'w1', iteration: 1, reason: undefined }, [])).toBeUndefined();
    expect(
      await refusedAs(() =>
        nextRecord(records, { walkthrough: 'other', iteration: 1, reason: undefined }, []),
      ),
    ).toBe('already_recorded');
  });

  test.each([
    ['  ', '1', undefined, 'missing_walkthrough'],
    [undefined, undefined, undefined, 'missing_walkthrough'],
    ['w', '2', undefined, 'missing_refinement_reason'],
    ['w', '2', ' ', 'missing_refinement_reason'],
    ['w', '0', 'r', 'invalid_number'],
    ['w', '1e3', 'r', 'invalid_number'],
    ['w'.repeat(300_000), '1', undefined, 'too_long'],
  ])('%#: %s %s %s is %s', async (walkthrough, iteration, reason, type) => {
    expect(await refusedAs(() => readImplementation(walkthrough, iteration, reason))).toBe(type);
  });
});
