import { describe, expect, it } from 'vitest';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { startHubOn, tokenFor } from '../support/start.ts';

const coder = { actor: { kind: 'agent', name: 'coder' }, channel: 'agent' } as const;

eachStoreInLong((store) => {
  /** A task whose Coder failed with the questions of the seed. */
  async function asked(count: 1 | 2) {
    const started = await startHubOn(store);
    const { hub, at } = started;
    await hub.call('POST', `${at}/tasks`, { id: 't1', title: 'Store orders' });
    await hub.call('POST', `${at}/tasks/t1/claim`, { worker: 'coder' });
    await hub.call('POST', `${at}/tasks/t1/chat`, { text: 'How far are you?' });
    const open_questions = [
      { id: 'q1', text: 'Which database should we use: PostgreSQL or SQLite?' },
      { id: 'q2', text: 'Should the API support pagination?' },
    ].slice(0, count);
    const result = await hub.call('POST', `${at}/tasks/t1/result`, { status: 'failed', open_questions });
    const path = `${at}/notifications/${result.body.data.notification.id}`;
    const say = (text: string) => hub.call('POST', `${at}/tasks/t1/chat`, { text });
    return { ...started, path, say };
  }

  describe('answers in the chat of a task (SEED-4)', () => {
    it("the seed's order: the answer goes to the chat, a PATCH without a body resolves and unblocks", async () => {
      const { hub, at, path, say, ledger, project } = await asked(1);
      expect((await hub.get(`${at}/tasks/t1`)).body.data).toMatchObject({
        status: 'blocked',
        assignee: null,
        block_reason: 'Open Question',
      });
      await say('PostgreSQL');
      await ledger.tasks.say(project, 't1', 'SQLite!', coder);
      const before = (await ledger.projects.get(project)).lastEvent;
      const patched = await hub.call('PATCH', path);
      expect(patched).toMatchObject({
        status: 200,
        body: { data: { status: 'answered', responses: [{ questionId: 'q1', answer: 'PostgreSQL' }] } },
      });
      expect((await hub.get(`${at}/tasks/t1`)).body.data).toMatchObject({
        status: 'open',
        block_reason: null,
      });
      expect((await hub.get(`${at}/tasks/ready`)).body.data).toMatchObject([{ id: 't1' }]);
      const events = (await hub.get(`${at}/events?after=${before}`)).body.data;
      expect(events.map(({ type }: { type: string }) => type)).toEqual([
        'notification.resolved',
        'task.updated',
      ]);
      expect(await hub.call('PATCH', path)).toMatchObject({
        status: 200,
        body: { data: { status: 'answered' } },
      });
      await say('No, SQLite');
      expect(await hub.call('PATCH', path)).toMatchObject({ status: 409 });
    });

    it('several questions take numbered messages, and each message answers once', async () => {
      const { hub, at, path, say } = await asked(2);
      await say('PostgreSQL');
      const unclear = await hub.call('PATCH', path);
      expect(unclear.status).toBe(400);
      expect(unclear.body.error.message).toContain('Write one message with numbered answers');
      const other = { source: 'execute', sourceId: 't1', questions: ['Which port?'] };
      const second = `${at}/notifications/${(await hub.call('POST', `${at}/notifications`, other)).body.data.id}`;
      await say('1. PostgreSQL\n2. Yes');
      expect((await hub.call('PATCH', path)).body.data.responses).toMatchObject([
        { questionId: 'q1', answer: 'PostgreSQL' },
        { questionId: 'q2', answer: 'Yes' },
      ]);
      expect((await hub.call('PATCH', second)).status).toBe(400);
      await say('8080');
      expect((await hub.call('PATCH', second)).body.data.responses).toMatchObject([{ answer: '8080' }]);
    });

    it('without a body and a message from a person it gets a clear error, and nothing changes', async () => {
      const { hub, at, path, ledger, project } = await asked(1);
      await ledger.tasks.say(project, 't1', 'PostgreSQL', coder);
      const { headers } = await tokenFor(hub, 'agent', project);
      await hub.call('POST', `${at}/tasks/t1/chat`, { text: 'SQLite' }, headers);
      expect(await hub.call('PATCH', path)).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining('no person wrote to the chat of task t1') } },
      });
      expect(await hub.call('PATCH', path, undefined, headers)).toMatchObject({ status: 403 });
      expect((await hub.get(path)).body.data).toMatchObject({ status: 'open', responses: [] });
      await hub.call('DELETE', path);
      expect(await hub.call('PATCH', path)).toMatchObject({ status: 410 });
    });
  });
});
