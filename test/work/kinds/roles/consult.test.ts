import { describe, expect, it } from 'vitest';
import type { AgentDriver } from '../../../../src/agents/driver.ts';
import { readAnalyst } from '../../../../src/agents/roles/analyst-answer.ts';
import type { Ledger } from '../../../../src/ledger/ledger.ts';
import { consult } from '../../../../src/work/kinds/roles/consult.ts';
import { ann, coder } from '../../../ledger/support/people.ts';
import { eachStore } from '../../../ledger/support/stores.ts';
import { agentThatSays } from '../../run/support/agent-that-says.ts';

const TASKS = '{"tasks":[{"title":"Do it"}]}';
const asks = (...texts: string[]) => JSON.stringify({ open_questions: texts });

describe('a request to a role', () => {
  eachStore((store) => {
    async function consulted(ledger: Ledger, project: string, driver: AgentDriver, id?: string) {
      const work = { kind: 'feedback' as const, input: { text: 'Nicer' } };
      const task = id
        ? await ledger.tasks.work(project, id, 'feedback')
        : await ledger.tasks.submit({ projectId: project, title: 'Evaluate' }, work, ann);
      const setup = { cwd: '/', env: {}, mustAsk: false };
      const result = await consult({
        conducting: { ledger, driver, setup },
        task,
        prompt: (history) => `asked ${history.length}`,
        read: readAnalyst,
        waits: false,
      });
      return { result, id: task.id };
    }

    it('LED-9 asks at most five rounds, each question once; then the role has to decide', async () => {
      const { ledger, project } = await store.start();
      const rounds = [1, 2, 3, 4, 5, 6].map((round) => asks(`Round ${round}?`, 'Round 1?'));
      const { driver, prompts } = agentThatSays([...rounds, TASKS]);
      let { result, id } = await consulted(ledger, project, driver);
      for (let round = 1; result.kind === 'waiting'; round++) {
        const [open] = result.open;
        expect(open?.questions.map(({ text }) => text)).toEqual([`Round ${round}?`]);
        const responses = (open?.questions ?? []).map(({ id: questionId }) => ({ questionId, answer: 'so' }));
        await ledger.notifications.resolve(project, open?.id ?? '', { responses }, ann);
        ({ result } = await consulted(ledger, project, driver, id));
      }
      expect(result).toMatchObject({ kind: 'ended', result: { tasks: [{ title: 'Do it' }] } });
      expect(prompts).toHaveLength(7);
      expect(prompts[6]).toContain('You have asked 5 times. Decide the rest yourself.');
    });

    it('ROLE-1 an agent that fails is not restarted forever, and its undelivered answers do not count as delivered', async () => {
      const { ledger, project } = await store.start();
      const { driver, prompts } = agentThatSays([asks('Which?'), 'crashed', TASKS]);
      const { result, id } = await consulted(ledger, project, driver);
      if (result.kind !== 'waiting') return expect.unreachable();
      const { id: asked = '' } = result.open[0] ?? {};
      await ledger.notifications.resolve(
        project,
        asked,
        { responses: [{ questionId: 'q1', answer: 'x' }] },
        ann,
      );
      expect((await consulted(ledger, project, driver, id)).result.kind).toBe('stopped');
      expect((await ledger.notifications.get(project, asked)).status).toBe('answered');
      expect((await consulted(ledger, project, driver, id)).result.kind).toBe('ended');
      expect((await ledger.notifications.get(project, asked)).status).toBe('delivered');
      expect(prompts).toEqual(['asked 0', 'asked 1', 'asked 1']);
    });

    it('HEAR-4 answers to an MCP server’s form are not in the prompt of the next agent', async () => {
      const { ledger, project } = await store.start();
      const { driver, prompts } = agentThatSays([asks('Which?'), TASKS]);
      const { result, id } = await consulted(ledger, project, driver);
      if (result.kind !== 'waiting') return expect.unreachable();
      const [question] = result.open;
      const { source = 'eval', sourceId = '', resume } = question ?? {};
      const { notification: form } = await ledger.notifications.create(
        {
          projectId: project,
          source,
          sourceId,
          questions: [{ id: 'q1', text: 'Token?' }],
          resume: { agent: 'test', run: resume?.run, toolCallId: 'r1', elicitation: true },
        },
        coder,
      );
      const responses = [{ questionId: 'q1', answer: 'x' }];
      for (const each of [form.id, question?.id ?? '']) {
        await ledger.notifications.resolve(project, each, { responses }, ann);
      }
      expect((await consulted(ledger, project, driver, id)).result.kind).toBe('ended');
      expect(prompts).toEqual(['asked 0', 'asked 1']);
    });

    it('ROLE-1 an unusable answer is repaired once; a later request starts over', async () => {
      const { ledger, project } = await store.start();
      const { driver, prompts } = agentThatSays(['nonsense', 'nonsense again', TASKS]);
      const { result, id } = await consulted(ledger, project, driver);
      expect(result).toMatchObject({
        kind: 'given_up',
        sentBack: [{ text: 'nonsense' }, { text: 'nonsense again' }],
      });
      expect(prompts).toEqual(['asked 0', expect.stringContaining('nonsense')]);
      expect((await consulted(ledger, project, driver, id)).result.kind).toBe('ended');
      expect(prompts[2]).toBe('asked 0');
    });

    it('ROLE-1 questions too large to store go back to the agent', async () => {
      const { ledger, project } = await store.start();
      const large = Array.from({ length: 60 }, (_, index) => `${index} ${'x'.repeat(30_000)}`);
      const { driver, prompts } = agentThatSays([asks(...large), TASKS]);
      expect((await consulted(ledger, project, driver)).result.kind).toBe('ended');
      expect(prompts[1]).toContain('Your questions are too long');
    });
  });
});
