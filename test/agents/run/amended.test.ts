import { expect, test } from 'vitest';
import type { AgentDriver, AgentEvent, AgentSetup } from '../../../src/agents/driver.ts';
import { restated } from '../../../src/agents/questions/answer-text.ts';
import { startRun } from '../../../src/agents/run/conduct.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import { puppetDriver } from '../support/puppet.ts';
import { openStage } from '../support/stage.ts';

const setup: AgentSetup = { cwd: '/', env: {}, mustAsk: true };
const question: AgentEvent = { kind: 'question', ask: { id: 'a', questions: ['Which?'] } };
const ann = { actor: { kind: 'person' as const, name: 'ann' }, channel: 'web' as const };

/** Collects what agents get: the prompt of a new one, or the text that resumes a session. */
function heard(driver: AgentDriver, told: string[]): AgentDriver {
  return {
    ...driver,
    start: (given, prompt) => {
      told.push(prompt);
      return driver.start(given, prompt);
    },
    resume: (given, recipe, settled) => {
      told.push(restated(settled));
      return driver.resume(given, recipe, settled);
    },
  };
}

test.each([
  ['with a session', 's-1'],
  ['without a session', undefined],
])(
  'an agent %s that has the old answer gets another turn with the amended one (BIND-5)',
  async (_, sessionId) => {
    const stage = await openStage();
    const { ledger, projectId } = stage;
    const told: string[] = [];
    let amended: Notification | undefined;
    const { driver } = puppetDriver([
      (self) => {
        if (sessionId) self.events.push({ kind: 'session', sessionId });
        self.events.push(question);
        const wait = async () => {
          const [given] = self.answers;
          if (!given) return setTimeout(wait, 5);
          const [, { id }] = given;
          await expect
            .poll(async () => (await ledger.notifications.get(projectId, id)).status)
            .toBe('delivered');
          const responses = [{ questionId: 'q1', answer: 'that' }];
          amended = (await ledger.notifications.amend(projectId, id, { responses }, ann)).notification;
          self.events.push({ kind: 'text', text: 'done with this' });
          self.end('ok', 'done with this');
        };
        void wait();
      },
      (self) => {
        self.events.push({ kind: 'text', text: 'done with that' });
        self.end('ok', 'done with that');
      },
    ]);
    const conducting = { ledger, driver: heard(driver, told), setup };
    const running = startRun(conducting, {
      projectId,
      source: 'execute',
      sourceId: 'shop/1',
      prompt: 'Build.',
      work: { for: 'agent' },
    });
    await stage.answer((await stage.asked()).id, 'this');
    const { end, run } = await running;
    expect(end).toMatchObject({ reason: 'ok', text: 'done with that' });
    expect(run.status).toBe('ended');
    expect(told).toHaveLength(2);
    expect(told[1]).toContain('I have changed an earlier answer.');
    expect(told[1]).toContain('My answers:\nthat');
    expect((await ledger.notifications.get(projectId, amended?.id ?? '')).status).toBe('delivered');
  },
);
