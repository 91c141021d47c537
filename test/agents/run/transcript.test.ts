import { describe, expect, test } from 'vitest';
import { answersText } from '../../../src/agents/questions/answer-text.ts';
import { compare, type Transcript } from '../../../src/agents/run/transcript.ts';
import type { Notification } from '../../../src/schema/notification.ts';

const by = { actor: { kind: 'person', name: 'Ada' }, channel: 'terminal' } as const;
const at = '2026-01-01T00:00:00.000Z';

function row(more: Partial<Notification> = {}, answer = 'Zig'): Notification {
  return {
    id: 'n-1',
    projectId: 'p',
    source: 'plan',
    sourceId: 's',
    status: 'answered',
    outcome: 'answered',
    questions: [{ id: 'q1', text: 'Language?', source: 'agent', createdAt: at }],
    responses: [{ kind: 'answered', questionId: 'q1', answer, by, at }],
    policy: { kind: 'wait' },
    createdAt: at,
    createdBy: by,
    resume: { agent: 'claude', toolCallId: 'toolu_1' },
    ...more,
  } as Notification;
}

const skipped = row({
  outcome: 'skipped',
  responses: [{ kind: 'skipped', questionId: 'q1', by, at }] as Notification['responses'],
});
const delivered = row({ status: 'delivered', deliveredAt: at });
const amended = row({ deliveredAt: at, replaced: [] as never }, 'Rust');
const bySubAgent = { resume: { agent: 'claude', toolCallId: 'toolu_sub', subAgent: 'toolu_1' } };
const ofSubAgent = row({ ...bySubAgent, status: 'delivered', deliveredAt: at });
const prose = row({ resume: { agent: 'claude', toolCallId: 'prose:msg_1' } });

const nothing: Transcript = { calls: new Set(), results: new Map(), messages: [] };
const result = (text: string, isError = false): Transcript => ({
  ...nothing,
  results: new Map([['toolu_1', { isError, text }]]),
});
const says = (text: string): Transcript => ({ ...nothing, messages: ['Plan it.', text] });
const INTERRUPTED = '[Tool call interrupted: the session ended before this call was recorded.]';

describe('HEAR-4 messages to a resumed session', () => {
  test.each<[string, Notification, Transcript | undefined, 'bring' | 'known' | 'nothing']>([
    ['an open question', row({ status: 'open', responses: [] }), nothing, 'nothing'],
    ['a notice', row({ status: 'recorded', responses: [] }), nothing, 'nothing'],
    ['an answer, without a transcript', row(), undefined, 'bring'],
    ['an answer that the session does not have', row(), nothing, 'bring'],
    ['an answer that its call has', row(), result('"Language?"="Zig"'), 'known'],
    ['an answer whose call was broken off', row(), result(INTERRUPTED, true), 'bring'],
    ['an answer that was told in words', row(), says(`Hello.\n\n${answersText(row())}`), 'known'],
    ['an answer that was told otherwise', row(), says(answersText(row({}, 'Rust'))), 'bring'],
    [
      'a refusal that its call has',
      skipped,
      result('The person skipped this question. Use your best judgement.', true),
      'known',
    ],
    ['a refusal whose call was broken off', skipped, result(INTERRUPTED, true), 'bring'],
    ['a delivered answer, without a transcript', delivered, undefined, 'nothing'],
    ['a delivered answer that its call has', delivered, result('"Language?"="Zig"'), 'nothing'],
    ['a delivered answer that was lost in a crash', delivered, nothing, 'bring'],
    ['a delivered answer whose call was broken off', delivered, result(INTERRUPTED, true), 'bring'],
    [
      'a withdrawn question that was delivered',
      { ...delivered, outcome: 'withdrawn', responses: [] },
      nothing,
      'nothing',
    ],
    ['an amended answer whose call has the old one', amended, result('"Language?"="Zig"'), 'bring'],
    ['an amended answer that was told in words', amended, says(answersText(amended)), 'known'],
    [
      'an amended answer that was told before it was delivered',
      { ...amended, status: 'delivered' },
      says(answersText({ ...amended, deliveredAt: undefined })),
      'nothing',
    ],
    ['a sub-agent’s answer that it did not get', row(bySubAgent), result('Launched.'), 'bring'],
    ['a delivered answer of a sub-agent that has finished', ofSubAgent, result('Finished.'), 'nothing'],
    ['a delivered answer of a sub-agent of a sub-agent', ofSubAgent, nothing, 'nothing'],
    [
      'a delivered answer of a sub-agent that died at work',
      ofSubAgent,
      { ...nothing, calls: new Set(['toolu_1']) },
      'bring',
    ],
    [
      'a delivered answer of a sub-agent whose call was broken off',
      ofSubAgent,
      result(INTERRUPTED, true),
      'bring',
    ],
    [
      'a delivered answer that the transcript of sub-agents does not have',
      ofSubAgent,
      { ...nothing, hasSubAgents: true },
      'bring',
    ],
    ['an amended answer of a sub-agent', { ...amended, ...bySubAgent }, result('Finished.'), 'bring'],
    ['an answer to a question in words', prose, nothing, 'bring'],
    ['an answer to a question in words that was told', prose, says(answersText(prose)), 'known'],
  ])('%s', (_, asked, transcript, expected) => {
    const { bring, known } = compare([asked], transcript);
    expect({ bring, known }).toEqual({
      bring: expected === 'bring' ? [asked] : [],
      known: expected === 'known' ? [asked] : [],
    });
  });

  test('keeps several questions apart', () => {
    const second = row({ id: 'n-2', resume: { agent: 'claude', toolCallId: 'toolu_2' } });
    const { bring, known } = compare([row(), second, delivered], result('Zig'));
    expect(bring).toEqual([second]);
    expect(known).toEqual([row()]);
  });
});
