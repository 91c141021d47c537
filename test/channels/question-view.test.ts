import { createColors } from 'picocolors';
import { describe, expect, it } from 'vitest';
import { gateFileText } from '../../src/channels/gate-file/template.ts';
import { noticeText } from '../../src/channels/notices/notice-text.ts';
import { pipeItemsOf } from '../../src/channels/pipe/pipe-question.ts';
import { presentQuestion } from '../../src/channels/present.ts';
import { notificationLines } from '../../src/cli/notification-view.ts';
import { questionPage } from '../../src/hub/links/link-page.ts';
import type { Notification } from '../../src/schema/notification.ts';
import type { Question } from '../../src/schema/question.ts';
import { viewOf } from '../../src/text/question-view.ts';
import { clock, silence } from '../../web/src/text/words.ts';
import { sinks } from './support/sinks.ts';

const createdAt = '2026-01-01T00:00:00.000Z';
const question: Question = {
  id: 'q1',
  createdAt,
  header: 'Storage',
  text: 'Which database?',
  context: 'The shop is small.',
  options: [
    { id: 'a', label: 'Alpha', description: 'one server' },
    { id: 'b', label: 'Beta', description: 'one file' },
  ],
  recommended: 'b',
  verbatim: [{ label: 'Command', text: 'createdb shop' }],
};
const notification: Notification = {
  ...{ id: 'n-1', projectId: 'p', source: 'execute', sourceId: 't', kind: 'question', holds: { task: 't' } },
  ...{ status: 'open', responses: [], createdAt, questions: [question] },
  policy: { kind: 'skip', after: 3600 },
  proposal: { kind: 'default', after: 4 * 3600, answers: { q1: 'Beta' } },
  createdBy: { actor: { kind: 'agent', name: 'a' }, channel: 'agent' },
};
const decided: Notification = {
  ...notification,
  questions: [
    {
      ...question,
      recommended: 'Alpha',
      earlier: { decisionId: 'd-1', answer: 'Alpha', by: 'ann', at: createdAt },
    },
  ],
};
const first = (of: Notification) => of.questions[0] ?? question;

type Shown = string | Promise<string>;
const surfaces: [string, (of: Notification) => Shown][] = [
  ['terminal', (of) => presentQuestion(of, first(of), '', createColors(false), 80).join('\n')],
  ['inbox in the terminal', (of) => notificationLines(of, 'shop')],
  ['answer link', (of) => questionPage(of, first(of), 'shop')],
  ['gate file', (of) => gateFileText(of, 'schema.json')],
  ...sinks.map(({ name, show }): [string, (of: Notification) => Shown] => [
    name,
    async (of) => {
      const notice = noticeText(
        { notification: of, reminder: false },
        'shop',
        () => 'https://hub.example/a/t',
      );
      return `${notice.title}\n${await show(notice)}`;
    },
  ]),
];

describe('WORK-10 CHAN-1 every surface shows the same facts of a question', () => {
  const facts = {
    'who asks': 'holds up task t',
    header: 'Storage',
    text: 'Which database?',
    context: 'The shop is small.',
    'an option': /Alpha[\s\S]*one server/,
    'an option that is recommended by its id':
      /Beta[^\n]*recommended[\s\S]*one file|Beta[\s\S]*one file[^\n]*\(recommended\)/,
    'what to approve': 'createdb shop',
    silence: 'If nobody answers within 1 h, the question is skipped',
    proposal: 'The agent proposes: if nobody answers within 4 h, use Beta.',
  };

  it.each(surfaces)('%s', async (_, show) => {
    const text = await show(notification);
    for (const [name, fact] of Object.entries(facts)) expect(text, name).toMatch(fact);
    expect(text.match(/recommended/g)).toHaveLength(1);
  });

  it.each(surfaces)('%s: what was decided before, in place of the recommendation', async (_, show) => {
    const text = await show(decided);
    expect(text).toContain('Decided before: Alpha (ann, 2026-01-01)');
    expect(text).toMatch(/Alpha[^\n]*decided before/);
    expect(text).not.toContain('recommended');
  });

  it('the page, which counts the time that is left', () => {
    expect(silence(notification, Date.parse(createdAt))).toContain('within 1 h, the question is skipped');
    expect(viewOf(notification, clock()).proposal).toContain('within 4 h, use Beta');
  });

  it('the pipe, where options have no ids', () => {
    expect(pipeItemsOf(notification)[0]?.asked).toMatchObject({
      options: ['Alpha', 'Beta'],
      recommended: 'Beta',
    });
  });

  it('the material of a gate is with the first question, and its own with each other one', () => {
    const gate: Notification = {
      ...notification,
      questions: [
        { ...question, id: 'A' },
        { ...question, id: 'B' },
      ],
      gate: {
        ...{ kind: 'variants' as const, plan: 'shop', phase: '1', round: 0, file: '/tmp/gate.yaml' },
        material: ['A', 'B'].map((variant) => ({
          kind: 'diff' as const,
          title: 'Diff',
          text: '+x',
          variant,
        })),
      },
    };
    const labels = viewOf(gate).questions.map(({ material }) => material.map(({ label }) => label));
    expect(labels).toEqual([['A: Diff', 'B: Diff'], ['B: Diff']]);
  });
});
