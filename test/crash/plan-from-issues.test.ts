import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ScenarioBuilder } from '../../src/testing.ts';
import { LONG, library, PLAN, QUESTIONS } from '../cli/plan-from-issues/support/place.ts';
import { fermata } from '../support/fermata.ts';
import { isLong, spread } from '../support/long.ts';

/**
 * The steps of a run (each question and its answer, the agent, the plan, each delivery, the end), and how many
 * answers the agent has given by then.
 */
const points: [string, number][] = [
  ['create.inserted#3', 0],
  ['answer.stored#4', 0],
  ['write.after-commit#6', 0],
  ['run.started', 0],
  ['run.ended', 1],
  ['attempt.judged', 1],
  ['assignment.judged', 1],
  ['assignment.sent-back', 1],
  ['run.started#2', 1],
  ['run.ended#2', 2],
  ['assignment.judged#2', 2],
  ['plan.staged', 2],
  ['plan.between', 2],
  ['plan.placed', 2],
  [`answer.begin#${QUESTIONS + 4}`, 2],
  ['assignment.used', 2],
];

describe('CRASH plan-from-issues is killed', { timeout: LONG }, () => {
  test.each(spread(points))(
    'GAP-5 at %s: the same command resumes it, nothing is asked, requested or stored twice, and the plan is whole',
    async (point, requested) => {
      // The first answer is sent back.
      const at = library(
        new ScenarioBuilder().respondsWithText('No plan.').nextInvocation().respondsWithText(PLAN),
      );
      const answers = at.questions().map(({ id }) => ({ id, answer: `to ${id}` }));
      writeFileSync(join(at.cwd, 'answers.json'), JSON.stringify({ answers }));
      const command = [...at.command, '--answers-file', 'answers.json'];
      const env = { ...at.env, FERMATA_CRASH_AT: `${point}=kill` };
      expect((await fermata(command, { cwd: at.cwd, env })).code).toBe(null);
      expect(at.prompts()).toHaveLength(requested);

      const { code, stdout, stderr } = await fermata([...command, '--format', 'json'], at);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(JSON.parse(stdout)).toMatchObject({ iterations: 2 });
      expect(stderr.includes('Resuming at attempt'), stderr).toBe(point.startsWith('run.') || requested > 0);
      expect(at.prompts(), 'two answers, each requested once').toHaveLength(2);
      expect(at.auditErrors()).toEqual([]);
      for (const { answer } of answers)
        expect(at.read().split(`**${answer.replaceAll('_', '\\_')}**`)).toHaveLength(2);
      expect(readdirSync(join(at.cwd, 'plans')).filter((name) => /staging|ready/.test(name))).toEqual([]);
      await at.inLedger(async (ledger) => {
        expect((await ledger.notifications.list()).notifications).toEqual([]);
        const { notifications } = await ledger.notifications.list({ status: ['delivered'] });
        expect(notifications.map(({ responses }) => responses.length)).toEqual(answers.map(() => 1));
      });
    },
  );

  test.each([
    'answer.begin#4', // the second of the deliveries, after two answers
    ...(isLong ? ['run.ended', 'assignment.used'] : []),
  ])(
    'GAP-4 GAP-5 at %s, with fewer questions than there could be: the resumed command asks no more',
    async (point) => {
      const at = library(new ScenarioBuilder().respondsWithText(PLAN));
      const answers = at.questions().map(({ id }) => ({ id, answer: `to ${id}` }));
      writeFileSync(join(at.cwd, 'answers.json'), JSON.stringify({ answers: answers.slice(0, 2) }));
      const command = [...at.command, '--max-questions', '0'];
      const env = { ...at.env, FERMATA_CRASH_AT: `${point}=kill` };
      const first = [...command, '--answers-file', 'answers.json'];
      expect((await fermata(first, { cwd: at.cwd, env })).code).toBe(null);
      const { code, stderr } = await fermata(command.with(-1, '2'), at);
      expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('Resuming') });
      expect(at.prompts()).toHaveLength(1);
    },
  );
});
