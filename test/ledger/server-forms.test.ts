import { describe, expect, it } from 'vitest';
import { answers, askFor, refusal } from './support/ask.ts';
import { ann } from './support/people.ts';
import { eachStore } from './support/stores.ts';

describe('the form of an MCP server', () => {
  eachStore((store) => {
    it('HEAR-4 leaves what a person filled in nowhere that an agent reads', async () => {
      const { ledger, project } = await store.start();
      await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Work' }, ann);
      const form = { resume: { agent: 'claude', toolCallId: 'r1', elicitation: true as const } };
      const { id } = await askFor(ledger, project, 'T1', form);
      expect(
        await refusal(ledger.notifications.resolve(project, id, answers({ q1: 'tok-1' }, true), ann)),
      ).toMatchObject({ code: 'invalid', message: expect.stringContaining('form of an MCP server') });
      await ledger.notifications.resolve(project, id, answers({ q1: 'tok-1' }), ann);
      expect(await ledger.decisions.list(project)).toEqual([]);
      expect(await ledger.tasks.chat(project, 'T1')).toEqual([]);
      expect((await ledger.tasks.get(project, 'T1')).status).toBe('open');
      const again = await askFor(ledger, project, 'T1', { ...form, life: 'another' });
      expect(again.questions[0]).not.toHaveProperty('earlier');
    });
  });
});
