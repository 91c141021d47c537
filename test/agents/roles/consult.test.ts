import { describe, expect, it } from 'vitest';
import type { AgentDriver, AgentRun, AgentSetup, RunEnd } from '../../../src/agents/driver.ts';
import { noUsage } from '../../../src/agents/driver.ts';
import { readAnalyst } from '../../../src/agents/roles/analyst-answer.ts';
import { consult } from '../../../src/agents/roles/consult.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { ann } from '../../ledger/support/people.ts';
import { eachStore } from '../../ledger/support/stores.ts';

/** An agent that ends at once, each time with the next text. */
function agentThatSays(...texts: (string | RunEnd['reason'])[]) {
  const prompts: string[] = [];
  const start = (_: AgentSetup, prompt: string): AgentRun => {
    prompts.push(prompt);
    const text = texts[prompts.length - 1] ?? '';
    const reason = text === 'crashed' ? ('crashed' as const) : ('ok' as const);
    const none = { exitCode: 0, signal: null, stderrTail: '', skippedLines: 0 };
    const ended = Promise.resolve({ reason, message: 'It ended.', text, usage: noUsage, ...none });
    const events: AgentRun['events'] = (async function* () {
      yield* [];
    })();
    const never = async () => false;
    return {
      events,
      ended,
      answer: never,
      permit: never,
      interrupt: async () => undefined,
      stop: () => ended,
    };
  };
  const driver: AgentDriver = {
    name: 'test',
    probe: async () => ({ found: true, program: 'x', version: '1' }),
    start,
    resume: (setup) => start(setup, 'resumed'),
  };
  return { driver, prompts };
}

const TASKS = '{"tasks":[{"title":"Do it"}]}';
const asks = (...texts: string[]) => JSON.stringify({ open_questions: texts });

describe('a consultation', () => {
  eachStore((store) => {
    async function consulted(ledger: Ledger, project: string, driver: AgentDriver, id?: string) {
      const consultation = id
        ? await ledger.consultations.get(project, id)
        : await ledger.consultations.begin({ projectId: project, role: 'analyst', text: 'Nicer' }, ann);
      const setup = { cwd: '/', env: {}, mustAsk: false };
      const result = await consult({
        conducting: { ledger, driver, setup },
        consultation,
        prompt: (history) => `asked ${history.length}`,
        read: readAnalyst,
        waits: false,
      });
      return { result, id: consultation.id };
    }

    it('LED-9 asks at most five rounds, each question once; then the role has to decide', async () => {
      const { ledger, project } = await store.start();
      const rounds = [1, 2, 3, 4, 5, 6].map((round) => asks(`Round ${round}?`, 'Round 1?'));
      const { driver, prompts } = agentThatSays(...rounds, TASKS);
      let { result, id } = await consulted(ledger, project, driver);
      for (let round = 1; result.kind === 'waiting'; round++) {
        const [open] = result.open;
        expect(open?.questions.map(({ text }) => text)).toEqual([`Round ${round}?`]);
        const responses = (open?.questions ?? []).map(({ id: questionId }) => ({ questionId, answer: 'so' }));
        await ledger.notifications.resolve(project, open?.id ?? '', { responses }, ann);
        ({ result } = await consulted(ledger, project, driver, id));
      }
      expect(result).toMatchObject({ kind: 'answer', value: { tasks: [{ title: 'Do it' }] } });
      expect(prompts).toHaveLength(7);
      expect(prompts[6]).toContain('You have asked 5 times. Decide the rest yourself.');
    });

    it('ROLE-1 an agent that breaks off is not started over and over; what it was to be told is not taken for told', async () => {
      const { ledger, project } = await store.start();
      const { driver, prompts } = agentThatSays(asks('Which?'), 'crashed', TASKS);
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
      expect((await consulted(ledger, project, driver, id)).result.kind).toBe('answer');
      expect((await ledger.notifications.get(project, asked)).status).toBe('delivered');
      expect(prompts).toEqual(['asked 0', 'asked 1', 'asked 1']);
    });

    it('ROLE-1 an answer that cannot be used is repaired once; asked for again later, it is tried anew', async () => {
      const { ledger, project } = await store.start();
      const { driver, prompts } = agentThatSays('nonsense', 'nonsense again', TASKS);
      const { result, id } = await consulted(ledger, project, driver);
      expect(result).toMatchObject({ kind: 'unreadable', text: 'nonsense again' });
      expect(prompts).toEqual(['asked 0', expect.stringContaining('nonsense')]);
      expect((await consulted(ledger, project, driver, id)).result.kind).toBe('answer');
      expect(prompts[2]).toBe('asked 0');
    });

    it('ROLE-1 questions too large to be kept go back to the agent', async () => {
      const { ledger, project } = await store.start();
      const large = Array.from({ length: 60 }, (_, index) => `${index} ${'x'.repeat(30_000)}`);
      const { driver, prompts } = agentThatSays(asks(...large), TASKS);
      expect((await consulted(ledger, project, driver)).result.kind).toBe('answer');
      expect(prompts[1]).toContain('Your questions are too long');
    });
  });
});
