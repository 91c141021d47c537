import { describe, expect, test } from 'vitest';
import type { Notification } from '../../../src/schema/notification.ts';
import type { PhaseRecord } from '../../../src/schema/phase-record.ts';
import { missingGates } from '../../../src/work/gates/human-gates.ts';
import { phaseTasks } from '../../../src/work/phases/phase-task.ts';
import { good, master, planOf, row } from '../../plan/grammar/plans.ts';

function phase(front: string) {
  const plan = planOf({ 'MASTER_PLAN.md': master(row(1)), 'phase-1.md': `---\n${front}\n---\n${good}` });
  const [at] = phaseTasks(plan, 'shop');
  if (!at) throw new Error('The plan has no phase.');
  return at;
}

const implemented = (...iterations: number[]) =>
  iterations.map((iteration) => ({ kind: 'implementation', iteration }) as PhaseRecord);

function gate(kind: 'testing' | 'variants', round: number, answers?: Record<string, string>): Notification {
  const options = [{ label: 'main' }, { label: 'discard' }];
  return {
    id: 'n-1',
    projectId: 'p',
    source: 'gate',
    sourceId: 'shop/1',
    kind: 'gate',
    holds: { task: 'shop/1' },
    ...(answers ? { status: 'answered', outcome: 'answered' } : { status: 'open' }),
    questions: Object.keys(answers ?? {}).map((id) => ({ id, text: `${id}?`, createdAt: '', options })),
    responses: Object.entries(answers ?? {}).map(([questionId, answer]) => ({
      kind: 'answered',
      questionId,
      answer,
      by: { actor: { kind: 'person', name: 'ann' }, channel: 'terminal' },
      at: '',
    })),
    policy: { kind: 'wait' },
    gate: { kind, plan: 'shop', phase: '1', round, file: '' },
    createdAt: '',
    createdBy: { actor: { kind: 'agent', name: 'coder' }, channel: 'command' },
  };
}

describe('GATE-1 what a person still has to say before a phase is done', () => {
  const tested = phase('requires_manual_testing: true');
  const variant = phase('variants: [A, B]');

  test.each<[string, Notification[], number[], RegExp[]]>([
    ['nobody was asked', [], [1], [/Nobody has tested iteration 1/]],
    ['it is asked', [gate('testing', 1)], [1], [/The testing gate \(n-1\) needs an answer/]],
    ['it passed', [gate('testing', 1, { passed: 'passed' })], [1], []],
    ['it did not', [gate('testing', 1, { passed: 'changes' })], [1], [/asked for changes/]],
    [
      'an earlier iteration passed',
      [gate('testing', 1, { passed: 'passed' })],
      [1, 2],
      [/Nobody has tested iteration 2/],
    ],
    [
      'the last word counts',
      [gate('testing', 1, { passed: 'changes' }), gate('testing', 2, { passed: 'passed' })],
      [1, 2],
      [],
    ],
  ])('tested by hand: %s', (_, gates, iterations, missing) => {
    expect(missingGates(tested, implemented(...iterations), gates)).toEqual(
      missing.map((sentence) => expect.stringMatching(sentence)),
    );
  });

  test('a phase without human gates has nothing missing', () => {
    expect(missingGates(phase('title: x'), implemented(1), [])).toEqual([]);
  });

  test('a variant is done once a person decided about it', () => {
    expect(missingGates(variant, implemented(1), [])).toEqual([expect.stringMatching(/on the variants yet/)]);
    const decided = gate('variants', 1, { A: 'main', B: 'discard' });
    expect(missingGates(variant, implemented(1), [decided])).toEqual([]);
    expect(missingGates(variant, implemented(1), [gate('variants', 1)])).toEqual([
      expect.stringMatching(/variants gate .* needs an answer/),
    ]);
  });
});
