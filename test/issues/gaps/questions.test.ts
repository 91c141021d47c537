import { describe, expect, it } from 'vitest';
import { analyzeIssues } from '../../../src/issues/gaps/analyze.ts';
import type { PlannedQuestion } from '../../../src/issues/questions/plan-questions.ts';
import type { Stack } from '../../../src/issues/repository/stack.ts';

const stack: Stack = {
  languages: ['TypeScript'],
  frameworks: ['React'],
  testRunners: ['vitest'],
  manifests: ['package.json'],
};
const wish = (number: number, title: string) => ({ number, title, body: 'Would be nice!' });
const ask = (
  issues: Parameters<typeof analyzeIssues>[0],
  maxQuestions = 100,
  given: Stack | undefined = stack,
) => analyzeIssues(issues, { stack: given, maxQuestions });
const only = (questions: PlannedQuestion[], type: string) =>
  questions.filter((question) => question.gap_type === type);

describe('questions', () => {
  it('GAP-3 name the issue and have options, context and a default assumption', () => {
    const { questions } = ask([
      wish(7, 'Add dark mode'),
      { number: 8, title: 'Sync hangs', body: 'It hangs.' },
    ]);
    expect(questions.map(({ issues }) => issues)).toEqual([[7], [8]]);
    for (const { question, options, context, assumed, issues } of questions) {
      expect(question).toMatch(/#\d+ "/);
      expect(question.endsWith('?')).toBe(true);
      expect(options.length).toBeGreaterThanOrEqual(2);
      expect(context.length).toBeGreaterThan(20);
      expect(assumed.length).toBeGreaterThan(20);
      expect(issues.length).toBeGreaterThan(0);
    }
  });

  it('GAP-3 ATT-4 offer the test runner that the repository has', () => {
    const [question] = ask([wish(1, 'Add dark mode')]).questions;
    expect(question?.covers).toEqual(['acceptance_criteria', 'validation']);
    expect(question?.options[0]).toContain('automated tests (vitest)');
    expect(question?.recommended).toBe(question?.options[0]);
    expect(question?.reason).toContain('vitest');
    const { issues } = analyzeIssues([wish(1, 'Add dark mode')], { stack });
    const check = issues[0]?.gaps.find(({ gap_type }) => gap_type === 'validation');
    expect(check).toMatchObject({ recommended: 'With automated tests (vitest)' });
    const [none] = analyzeIssues([wish(1, 'Add dark mode')]).questions;
    expect(none?.options[0]).not.toContain('tests');
    expect(none, 'nothing speaks for an option').not.toHaveProperty('recommended');
  });

  it('ATT-4 offer a measure for a wish for speed, and a list before anything is deleted', () => {
    const [speed] = ask([{ number: 1, title: 'Improve performance of the search', body: '' }]).questions;
    expect(speed?.options[0]).toContain('benchmark');
    const remove = { number: 2, title: 'Clean up and delete old accounts', body: '', labels: ['chore'] };
    const [deletion] = ask([remove]).questions;
    expect(deletion?.options.join()).toContain('would be deleted');
    expect(deletion?.options.join()).not.toContain('no change');
  });

  it('GAP-3 offer the alternatives that the text names, and what the manifests suggest', () => {
    const body =
      'Five tries, then parked; the worker writes `failed_at`.\n\nWe could use RabbitMQ, NATS or Kafka, still undecided; I prefer NATS.';
    const [found] = only(ask([{ number: 3, title: 'Queue for mails', body }]).questions, 'tech_stack');
    expect(found?.options.slice(0, 3)).toEqual(['RabbitMQ', 'NATS', 'Kafka']);
    expect(found?.options.join('\n')).toContain('TypeScript');
    expect(found?.recommended).toBe('NATS');
    expect(found?.question).toContain('RabbitMQ, NATS or Kafka');
  });

  it('GAP-3 ATT-4 quote what the issue leaves open, with its own alternatives', () => {
    const body =
      'Projects are hidden when they are deleted, and an admin can restore them from a list.\n\nShould old links return an error or redirect?';
    const [found] = only(ask([{ number: 4, title: 'Soft delete', body }]).questions, 'scope');
    expect(found?.question).toContain('Should old links return an error or redirect?');
    expect(found?.options).toEqual(['links return an error', 'redirect']);
  });

  it('GAP-3 propose the issue that other work may be', () => {
    const issues = [
      {
        number: 5,
        title: 'Show the window',
        body: 'Below each item: "arrives on DAY".\nAt most 300 ms, else it is left out.\n\nNeeds the new shipping API first.',
      },
      {
        number: 6,
        title: 'Shipping API: delivery dates',
        body: '- [ ] `GET /shipping/dates`\n- [ ] 400 for an unknown postcode',
      },
    ];
    const [found] = only(ask(issues).questions, 'dependencies');
    expect(found?.recommended).toBe('It is #6 "Shipping API: delivery dates"');
  });

  it('ATT-3 ask each open question of a text, one by one', () => {
    const body =
      'Readers get a report by mail.\n\n- Should it come daily or weekly?\n- Should it contain closed loans?';
    const asked = only(ask([{ number: 1, title: 'Report for readers', body }]).questions, 'scope');
    expect(asked.map(({ options }) => options)).toEqual([
      ['daily', 'weekly'],
      ['Yes', 'No'],
    ]);
    expect(asked.map(({ id }) => id)).toEqual(['scope-1', 'scope-1-2']);
  });

  it('ATT-3 ATT-4 the candidates of a choice are the options, and who decides is quoted', () => {
    const body = 'We need notifications for orders, either webhooks or polling — TBD by @ops.';
    const [asked] = only(ask([{ number: 1, title: 'Order notifications', body }]).questions, 'scope');
    expect(asked?.options).toEqual(['webhooks', 'polling']);
    expect(asked?.question).toContain('TBD by @ops');
  });

  it('GAP-3 a wish for speed is asked for its target and its scope, not what it is about', () => {
    const { questions } = ask([{ number: 1, title: 'Improve performance', body: '' }]);
    expect(questions.map(({ gap_type }) => gap_type)).toEqual(['acceptance_criteria', 'scope']);
    expect(questions.flatMap(({ covers }) => covers)).toContain('context');
  });

  it('GAP-3 what must be true, and how it is checked, is asked once per issue and never for several', () => {
    const { questions } = ask([wish(1, 'Add dark mode'), wish(2, 'Calendar view'), wish(3, 'Offline mode')]);
    expect(questions.map(({ gap_type, issues }) => [gap_type, issues])).toEqual([
      ['acceptance_criteria', [1]],
      ['acceptance_criteria', [2]],
      ['acceptance_criteria', [3]],
    ]);
  });

  it('GAP-3 the same technology choice in several issues is one question; a different choice is a different one', () => {
    const choice = (number: number, names: string) => ({
      number,
      title: `Store ${number}`,
      body: `- put and get up to 200 MB\n- a list by prefix\n- delete is final\n\nWe could use ${names}, not sure.`,
    });
    const { questions } = ask([
      choice(1, 'MinIO or Ceph'),
      choice(2, 'Ceph or MinIO'),
      choice(3, 'Redis or Postgres'),
    ]);
    expect(only(questions, 'tech_stack').map(({ issues }) => issues)).toEqual([[1, 2], [3]]);
  });

  it('GAP-3 related gaps of an issue share one question', () => {
    const { issues, questions } = ask([{ number: 1, title: 'App crashes', body: null }]);
    expect(issues[0]?.gaps.map((gap) => gap.gap_type)).toEqual([
      'acceptance_criteria',
      'validation',
      'context',
    ]);
    expect(questions).toHaveLength(1);
    expect(questions[0]?.covers.sort()).toEqual(['acceptance_criteria', 'context', 'validation']);
  });

  it('GAP-3 ATT-5 come by issue, the most decisive one first, and within it critical ones first', () => {
    const issues = [
      { number: 1, title: 'Improve the search', body: '' },
      { number: 2, title: 'Choose a charting library', body: 'Bars and lines.' },
      wish(3, 'Add dark mode'),
    ];
    const { questions } = ask(issues);
    const order = questions.map(({ issues: [number] }) => number);
    expect(order.filter((number, index) => number !== order[index - 1])).toHaveLength(new Set(order).size);
    expect(questions[0]?.rank).toBe(1);
    for (const number of new Set(order)) {
      const severities = questions
        .filter((each) => each.issues[0] === number)
        .map(({ severity }) => severity);
      expect(severities).toEqual(severities.toSorted());
    }
  });

  it('ATT-5 within the budget are those with the highest rank over all issues', () => {
    const issues = [{ number: 1, title: 'Improve the search', body: '' }, wish(3, 'Add dark mode')];
    const ranks = (most: number) =>
      analyzeIssues(issues, { maxQuestions: most }).questions.map(({ rank }) => rank);
    expect(ranks(100).length).toBeGreaterThan(2);
    expect(ranks(2).sort()).toEqual([1, 2]);
  });

  it('GAP-4 at most 7 are asked; the rest are assumptions with their reason', () => {
    const issues = Array.from({ length: 20 }, (_, index) =>
      wish(index + 1, `Add view ${'abcdefghijklmnopqrst'[index]}x`),
    );
    const { questions, assumptions } = analyzeIssues(issues);
    expect(questions).toHaveLength(7);
    expect(assumptions).toHaveLength(ask(issues).questions.length - 7);
    for (const { assumption, reason, issues: concerned } of assumptions) {
      expect(assumption).not.toBe('');
      expect(reason).toContain('7 questions');
      expect(concerned).toHaveLength(1);
    }
  });

  it('GAP-4 more important and less certain ones go first', () => {
    const issues = [
      {
        number: 1,
        title: 'Filter the list by colour',
        body: 'The list should have a filter for the colour, so that readers find blue ones.',
      },
      wish(2, 'Add dark mode'),
    ];
    expect(only(ask(issues).questions, 'acceptance_criteria').map((question) => question.issues)).toEqual([
      [2],
      [1],
    ]);
  });

  it('GAP-4 with a budget of 0, nothing is asked and everything is assumed', () => {
    const { questions, assumptions } = ask([wish(1, 'Add dark mode')], 0);
    expect(questions).toEqual([]);
    expect(assumptions.map(({ gap_type }) => gap_type)).toEqual(['acceptance_criteria']);
  });

  it('GAP-6 have unique ids that stay the same in the next run', () => {
    const issues = [wish(1, 'Add dark mode'), wish(2, 'Calendar view'), wish(2, 'Calendar view')];
    const ids = ask(issues).questions.map(({ id }) => id);
    expect(ids).toEqual(ask(issues).questions.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('acceptance_criteria-1');
  });
});
