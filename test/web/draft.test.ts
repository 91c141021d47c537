import { describe, expect, it } from 'vitest';
import { decisionProblem } from '../../web/src/gates/decision-problem.ts';
import {
  blankLeft,
  canBeStanding,
  entryOf,
  fillBlank,
  isOneKey,
  maySkip,
  pick,
  responsesOf,
  write,
} from '../../web/src/inbox/draft.ts';
import { asked, question } from './support.ts';

const options = [{ label: 'A' }, { label: 'B' }];
const gate = { kind: 'variants' as const, plan: 'p', phase: '1', round: 1, file: 'f' };

describe('a draft of an answer', () => {
  it('one pick replaces another, own words replace a pick, and the other way round', () => {
    const single = question({ options });
    const a = pick(entryOf({}, single), single, 'A');
    expect(pick(a, single, 'B').picks).toEqual(['B']);
    expect(pick(a, single, 'A').picks).toEqual([]);
    expect(write(a, single, 'neither')).toMatchObject({ picks: [], text: 'neither' });
    expect(pick(write(a, single, 'neither'), single, 'B')).toMatchObject({ picks: ['B'], text: '' });
  });

  it('several picks and own words go together if several are allowed', () => {
    const many = question({ options, multi: true });
    const both = write(pick(pick(entryOf({}, many), many, 'A'), many, 'B'), many, ' C ');
    expect(responsesOf(asked({ questions: [many] }), { q: { ...both, note: ' why ' } })).toEqual([
      { questionId: 'q', answer: ['A', 'B', 'C'], note: 'why' },
    ]);
  });

  it('only what is filled in is sent, and nothing that is settled already', () => {
    const by = { actor: { kind: 'person' as const, name: 'ann' }, channel: 'web' as const };
    const notification = asked({
      questions: ['x', 'y', 'z'].map((id) => question({ id })),
      responses: [{ questionId: 'x', kind: 'answered', answer: '1', by, at: '' }],
    });
    const filled = { ...entryOf({}, question()), text: '2' };
    expect(responsesOf(notification, { x: filled, y: filled })).toEqual([{ questionId: 'y', answer: '2' }]);
    expect(responsesOf(notification, {})).toEqual([]);
  });

  it('optional fields of a gate are skipped with the rest, but never alone or too early', () => {
    const notification = asked({
      source: 'gate',
      kind: 'gate',
      gate: { ...gate, kind: 'testing' },
      questions: [question({ id: 'passed', options }), question({ id: 'thoughts' })],
    });
    const entry = entryOf({}, question());
    expect(responsesOf(notification, {})).toEqual([]);
    expect(responsesOf(notification, { thoughts: { ...entry, text: 'hm' } })).toEqual([
      { questionId: 'thoughts', answer: 'hm' },
    ]);
    expect(responsesOf(notification, { passed: { ...entry, picks: ['A'] } })).toEqual([
      { questionId: 'passed', answer: 'A' },
      { questionId: 'thoughts', skipped: true },
    ]);
    expect(maySkip(notification)).toBe(false);
    expect(maySkip(asked({ questions: [question({ options })] }))).toBe(true);
  });

  it('one key is the whole answer only if one pick is enough', () => {
    expect(isOneKey(asked({ questions: [question({ options })] }))).toBe(true);
    expect(isOneKey(asked({ questions: [question({ options, multi: true })] }))).toBe(false);
    expect(isOneKey(asked({ questions: [question()] }))).toBe(false);
    expect(isOneKey(asked({ questions: [question({ options }), question({ id: 'r' })] }))).toBe(false);
  });

  it('one pick is enough for a gate, with or without a remark, but not for variants', () => {
    const questions = [question({ id: 'passed', options }), question({ id: 'thoughts' })];
    const testing = {
      source: 'gate' as const,
      kind: 'gate' as const,
      gate: { ...gate, kind: 'testing' as const },
    };
    expect(isOneKey(asked({ ...testing, questions }))).toBe(true);
    expect(isOneKey(asked({ source: 'gate', kind: 'gate', gate, questions }))).toBe(false);
  });

  it('an option with a blank is an answer only once it is filled in', () => {
    const blank = 'With these steps: …';
    const single = question({ options: [{ label: 'Never' }, { label: blank }] });
    const notification = asked({ questions: [single] });
    const picked = pick(entryOf({}, single), single, blank);
    expect(blankLeft(picked)).toBe(blank);
    expect(responsesOf(notification, { q: picked })).toEqual([]);
    const filled = fillBlank(picked, blank, ' press it twice ');
    expect(blankLeft(filled)).toBeUndefined();
    expect(responsesOf(notification, { q: filled })).toEqual([
      { questionId: 'q', answer: 'With these steps: press it twice' },
    ]);
    expect(responsesOf(notification, { q: pick(filled, single, 'Never') })).toEqual([
      { questionId: 'q', answer: 'Never' },
    ]);
  });

  it('an answer can become standing, but not one to a gate or an approval', () => {
    const entry = { ...entryOf({}, question()), text: 'yes', standing: true };
    expect(responsesOf(asked(), { q: entry })).toEqual([{ questionId: 'q', answer: 'yes', standing: true }]);
    expect(canBeStanding(asked())).toBe(true);
    expect(canBeStanding(asked({ source: 'approval', kind: 'approval' }))).toBe(false);
    expect(canBeStanding(asked({ source: 'gate', kind: 'gate', gate }))).toBe(false);
  });

  it('exactly one variant is main (VAR-1)', () => {
    const decide = [{ label: 'main' }, { label: 'alternative' }, { label: 'discard' }];
    const notification = asked({
      source: 'gate',
      kind: 'gate',
      gate,
      questions: [
        question({ id: 'A', options: decide }),
        question({ id: 'B', options: decide }),
        question({ id: 'reason' }),
      ],
    });
    const decided = (a: string[], b: string[]) => {
      const entry = entryOf({}, question());
      return decisionProblem(notification, { A: { ...entry, picks: a }, B: { ...entry, picks: b } });
    };
    expect(decided(['main'], [])).toBe('Decide on B as well.');
    expect(decided(['discard'], ['alternative'])).toMatch(/^Choose one variant as main/);
    expect(decided(['main'], ['main'])).toBe('Only one variant can be main, not A and B.');
    expect(decided(['main'], ['discard'])).toBeUndefined();
    expect(decisionProblem(asked(), {})).toBeUndefined();
  });
});
