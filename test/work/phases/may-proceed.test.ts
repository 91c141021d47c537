import { describe, expect, it } from 'vitest';
import type { Notification } from '../../../src/schema/notification.ts';
import type { PhaseRecord, ReviewRecord } from '../../../src/schema/phase-record.ts';
import type { SeenContent } from '../../../src/schema/seen-content.ts';
import { mayProceed, type PhaseAction, type PhaseStanding } from '../../../src/work/phases/may-proceed.ts';
import { missingPhase } from '../../../src/work/plans/as-approved.ts';
import { ann } from '../../ledger/support/people.ts';

const AT = '2026-01-31T12:00:00.000Z';

function gate(
  kind: 'testing' | 'variants',
  answers: Record<string, string> | 'open',
  round = 1,
): Notification {
  const given = answers === 'open' ? {} : answers;
  return {
    id: 'n-1',
    projectId: 'p',
    source: 'gate',
    sourceId: 'shop/1',
    gate: { kind, plan: 'shop', phase: '1', round },
    questions: ['A', 'B', 'passed'].map((id) => ({ id, text: id, options: [{ label: 'main' }] })),
    status: answers === 'open' ? 'open' : 'delivered',
    ...(answers === 'open' ? {} : { outcome: 'answered' }),
    responses: Object.entries(given).map(([questionId, answer]) => ({
      questionId,
      kind: 'answered',
      answer,
      by: ann,
      at: AT,
    })),
    policy: { kind: 'wait' },
    createdAt: AT,
    createdBy: ann,
  } as Notification;
}

const written = { id: 1, taskId: 'shop/1', iteration: 1, branch: null, at: AT, by: ann };
const implemented: PhaseRecord = {
  ...written,
  kind: 'implementation',
  data: { type: 'initial', walkthrough: 'w', reason: null },
};
const waived: PhaseRecord = { ...written, kind: 'waived', data: { step: 'review' } };
const reviewed = (data: ReviewRecord): PhaseRecord => ({ ...written, kind: 'review', data });

function ran(passed: boolean): PhaseRecord {
  const run = {
    name: 'tests',
    command: 'npm test',
    passed,
    exit_code: passed ? 0 : 1,
    seconds: 1,
    output: '',
  };
  return { ...written, kind: 'gates', data: { cwd: '/repo', runs: [run] } };
}

const command = {
  name: 'tests',
  command: 'npm test',
  covers: [],
  line: 1,
  span: { line: 1, column: 1, length: 1 },
};

interface Given extends Partial<Omit<PhaseStanding, 'at'>> {
  front?: Record<string, unknown>;
  variants?: string[];
}

/** Variant A of a phase, or its only one: implemented, gates passed, merged, unless overridden. */
function standing({ front = {}, variants = [], ...rest }: Given): PhaseStanding {
  const phase = missingPhase('1', 'One');
  const file = { gates: [command] } as unknown as typeof phase.file;
  const variant = variants.length > 0 ? 'A' : null;
  return {
    at: { phase: { ...phase, file }, number: '1', variant, variants, front, taskId: 'shop/1' },
    records: [implemented, ran(true)],
    gates: [],
    worktree: { branch: 'f--implementation-1', state: 'merged', isMerged: true },
    mergedVariant: undefined,
    reviewSince: undefined,
    ...rest,
  };
}

/** What a person said about this content. */
function about(content: SeenContent, said: Notification): Notification {
  return { ...said, gate: { ...said.gate, contents: { 'shop/1': content } } } as Notification;
}

const passedOn = (files: string, cleaned?: string) =>
  about({ files, ...(cleaned && { cleaned }) }, gate('testing', { passed: 'passed' }));
const chosenOn = (files: string) => about({ files }, gate('variants', { A: 'main', B: 'discard' }, 0));

const done = [implemented, ran(true)];
const active = { branch: 'f--implementation-1', state: 'active', isMerged: false } as const;
const tested = { requires_manual_testing: true };
const all: PhaseAction[] = ['merge', 'complete', 'close'];

describe('whether a phase may be merged, completed or closed', () => {
  it.each<[what: string, given: Given, refused: Partial<Record<PhaseAction, string>>]>([
    ['all is done', {}, {}],
    ['not merged yet', { worktree: active }, { complete: 'not_merged', close: 'not_merged' }],
    ['no worktree', { worktree: undefined }, {}],
    ['no run sent an agent, so no review is due', { reviewSince: undefined }, {}],
    ['SEED-7 nobody reviewed it', { reviewSince: AT }, { merge: 'not_reviewed' }],
    [
      'SEED-7 its review passed',
      { reviewSince: AT, records: [...done, reviewed({ verdict: 'passed' })] },
      {},
    ],
    [
      'SEED-7 its review wants changes',
      { reviewSince: AT, records: [...done, reviewed({ verdict: 'changes' })] },
      { merge: 'not_reviewed' },
    ],
    ['SEED-7 a person merges it without a review', { reviewSince: AT, records: [...done, waived] }, {}],
    [
      'SEED-7 it was changed after its review',
      {
        reviewSince: AT,
        worktree: { ...active, content: 'b' },
        records: [...done, reviewed({ verdict: 'passed', content: { files: 'a' } })],
      },
      { merge: 'not_reviewed', complete: 'not_merged', close: 'not_merged' },
    ],
    [
      'SEED-7 it was changed after the person had waived the review',
      { reviewSince: AT, records: [waived, ...done] },
      { merge: 'not_reviewed' },
    ],
    ['no person has tested it', { front: tested }, every('human_gates_open')],
    ['the test is open', { front: tested, gates: [gate('testing', 'open')] }, every('human_gates_open')],
    [
      'an older round was tested',
      { front: tested, gates: [gate('testing', { passed: 'passed' }, 0)] },
      every('human_gates_open'),
    ],
    [
      'tested: changes',
      { front: tested, gates: [gate('testing', { passed: 'changes' })] },
      every('human_gates_open'),
    ],
    [
      'tested without need: changes',
      { gates: [gate('testing', { passed: 'changes' })] },
      every('human_gates_open'),
    ],
    [
      'tested: passed, and changed since',
      { front: tested, gates: [passedOn('one')], worktree: { ...active, content: 'two' } },
      every('changed_after_test'),
    ],
    [
      'tested: passed, and not changed since',
      { front: tested, gates: [passedOn('one')], worktree: { ...active, content: 'one' } },
      { complete: 'not_merged', close: 'not_merged' },
    ],
    [
      'BIND-19 tested: passed, and only our clean-up of debug logs changed it since',
      { front: tested, gates: [passedOn('one', 'cleaned')], worktree: { ...active, content: 'cleaned' } },
      { complete: 'not_merged', close: 'not_merged' },
    ],
    [
      'chosen, and changed since',
      { variants: ['A', 'B'], gates: [chosenOn('one')], worktree: { ...active, content: 'two' } },
      every('changed_after_choice'),
    ],
    [
      'chosen, and not changed since',
      { variants: ['A', 'B'], gates: [chosenOn('one')], worktree: { ...active, content: 'one' } },
      { complete: 'not_merged', close: 'not_merged' },
    ],
    ['tested: passed', { front: tested, gates: [gate('testing', { passed: 'passed' })] }, {}],
    ['undecided', { variants: ['A', 'B'] }, every('human_gates_open')],
    [
      'the decision is open',
      { variants: ['A', 'B'], gates: [gate('variants', 'open')] },
      every('human_gates_open'),
    ],
    [
      'discarded',
      { variants: ['A', 'B'], gates: [gate('variants', { A: 'discard', B: 'main' })] },
      every('not_main'),
    ],
    [
      'an alternative',
      { variants: ['A', 'B'], gates: [gate('variants', { A: 'alternative', B: 'main' })] },
      every('not_main'),
    ],
    ['the main one', { variants: ['A', 'B'], gates: [gate('variants', { A: 'main', B: 'discard' })] }, {}],
    ['another is merged', { mergedVariant: 'f--implementation-1-B' }, every('other_variant_merged')],
    [
      'a gate command failed',
      { records: [implemented, ran(false)] },
      { merge: 'gates_failed', close: 'gates_failed' },
    ],
    ['it was refined since', { records: [ran(false), implemented] }, { close: 'gates_not_run' }],
    ['no gate command ran', { records: [] }, { close: 'gates_not_run' }],
  ])('BIND-6 %s', (_, given, refused) => {
    for (const action of all) {
      const permit = mayProceed(action, standing(given));
      expect([action, permit.kind === 'refused' ? permit.type : undefined]).toEqual([
        action,
        refused[action],
      ]);
      if (permit.kind === 'refused') expect(permit.nextStep).toMatch(/\w/);
    }
  });
});

function every(type: string): Record<PhaseAction, string> {
  return { merge: type, complete: type, close: type };
}
