import { describe, expect, it } from 'vitest';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { openSocket } from '../support/socket.ts';
import { question, startHubOn, tokenFor } from '../support/start.ts';

eachStoreInLong((store) => {
  describe("an agent's token (HUB-3)", () => {
    it('an agent asks, works and reads its own answers, but never answers, nor sees the answers to others', async () => {
      const { hub, at } = await startHubOn(store);
      const agent = await tokenFor(hub, 'agent');
      const asked = await hub.call('POST', `${at}/notifications`, question, agent.headers);
      expect(asked.body.data.createdBy).toEqual({
        actor: { kind: 'agent', name: agent.name },
        channel: 'rest',
      });
      const own = `${at}/notifications/${asked.body.data.id}`;
      const foreign = (await hub.call('POST', `${at}/notifications`, { ...question, sourceId: 'other' })).body
        .data;
      const same = { ...question, sourceId: 'other', resume: { agent: 'mine', sessionId: 's' } };
      expect((await hub.call('POST', `${at}/notifications`, same, agent.headers)).status).toBe(409);
      const untouched = (await hub.get(`${at}/notifications/${foreign.id}`)).body.data;
      expect(untouched, 'its answer still goes to who asked').not.toHaveProperty('resume');
      const answer = { responses: [{ questionId: 'q1', answer: 'Mine' }] };
      expect((await hub.call('PATCH', own, answer, agent.headers)).status).toBe(403);
      expect((await hub.call('PATCH', own, { dismissed: true, reason: 'x' }, agent.headers)).status).toBe(
        403,
      );
      expect((await hub.get(`${at}/notifications/${foreign.id}`, agent.headers)).status).toBe(404);
      expect(
        (await hub.call('DELETE', `${at}/notifications/${foreign.id}`, undefined, agent.headers)).status,
      ).toBe(404);
      for (const path of [
        '/notifications',
        `${at}/notifications`,
        `${at}/events`,
        `${at}/decisions`,
        '/tokens',
      ]) {
        expect((await hub.get(path, agent.headers)).status, path).toBe(403);
      }
      await expect(openSocket(hub, `/ws${at}`, agent.headers)).rejects.toThrow('403');
      const ticket = (await hub.call('POST', '/ws-ticket', undefined, agent.headers)).body.data.ticket;
      await expect(openSocket(hub, `/ws${at}?ticket=${ticket}`, {})).rejects.toThrow('403');
      expect((await hub.call('PATCH', `${at}/settings`, { hilConfig: 'full' }, agent.headers)).status).toBe(
        403,
      );
      expect((await hub.call('POST', '/tokens', { name: 'x', role: 'human' }, agent.headers)).status).toBe(
        403,
      );

      expect(
        (await hub.call('PATCH', own, { responses: [{ questionId: 'q1', answer: 'Theirs' }] })).status,
      ).toBe(200);
      expect((await hub.get(own, agent.headers)).body.data.responses).toMatchObject([{ answer: 'Theirs' }]);
      expect((await hub.call('DELETE', own, undefined, agent.headers)).status).toBe(409);
    });

    it('an agent with the name of a run’s agent does not see what that one asked', async () => {
      const { hub, ledger, project, at } = await startHubOn(store);
      const agent = await tokenFor(hub, 'agent');
      const by = { actor: { kind: 'agent', name: agent.name }, channel: 'agent' } as const;
      const asked = { projectId: project, source: 'plan' as const, sourceId: 's', questions: ['Which?'] };
      const { notification } = await ledger.notifications.create(asked, by);
      const foreign = `${at}/notifications/${notification.id}`;
      expect((await hub.get(foreign, agent.headers)).status).toBe(404);
      expect((await hub.call('DELETE', foreign, undefined, agent.headers)).status).toBe(404);
      expect((await hub.call('POST', `${at}/notifications`, asked, agent.headers)).status).toBe(409);
    });

    it('an agent cannot keep a person’s phone ringing', async () => {
      const { hub, at } = await startHubOn(store);
      const agent = await tokenFor(hub, 'agent');
      const ask = (after: number, headers?: Record<string, string>) => {
        const asked = { ...question, sourceId: `after ${after}`, policy: { kind: 'remind', after } };
        return hub.call('POST', `${at}/notifications`, asked, headers);
      };
      for (const after of [1e-300, 1, 59.9])
        expect(await ask(after, agent.headers), `${after}`).toMatchObject({
          status: 400,
          body: { error: { message: expect.stringContaining('at most every 60 seconds') } },
        });
      expect((await ask(60, agent.headers)).status).toBe(201);
      expect((await ask(30)).status, 'a person may').toBe(201);
    });

    it('an agent asks on behalf of a run only if it holds it', async () => {
      const { hub, at } = await startHubOn(store);
      const [agent, other] = [await tokenFor(hub, 'agent'), await tokenFor(hub, 'agent')];
      const started = { agent: 'claude', source: 'execute', sourceId: 't1' };
      const run = (await hub.call('POST', `${at}/runs`, started, agent.headers)).body.data;
      const asks = async (headers: Record<string, string>, id = run.id) => {
        const asked = { ...question, source: 'approval', resume: { agent: 'claude', cwd: '/', run: id } };
        return (await hub.call('POST', `${at}/notifications`, asked, headers)).status;
      };
      expect(await asks(other.headers)).toBe(403);
      expect(await asks(other.headers, 'r-none')).toBe(404);
      expect(await asks(agent.headers)).toBe(201);
      await hub.call('PATCH', `${at}/runs/${run.id}`, { status: 'waiting', fence: 1 }, agent.headers);
      expect(await asks(other.headers), 'while nobody is at it').toBe(403);
    });

    it('an agent cannot open a human gate with its own text (BIND-6)', async () => {
      const { hub, at } = await startHubOn(store);
      const agent = await tokenFor(hub, 'agent');
      const gate = { kind: 'testing', plan: 'login', phase: '1', round: 1, file: '/tmp/gate.yaml' };
      const questions = [{ id: 'passed', text: 'Is tea fine?', options: ['passed', 'changes'] }];
      const asked = { source: 'gate', sourceId: 'login/1', gate, questions };
      expect(await hub.call('POST', `${at}/notifications`, asked, agent.headers)).toMatchObject({
        status: 403,
        body: { error: { message: expect.stringContaining('plan block-') } },
      });
      expect((await hub.call('POST', `${at}/notifications`, asked)).status, 'a person may').toBe(201);
    });

    it('an agent cannot record a run of a phase, which would choose the next program to start (BIND-8)', async () => {
      const { hub, ledger, project, at } = await startHubOn(store);
      const agent = await tokenFor(hub, 'agent');
      const forged = {
        agent: 'command',
        source: 'execute',
        sourceId: 'login/1',
        data: { agentCommand: '/tmp/evil', merges: 'f'.repeat(40) },
      };
      const started = await hub.call('POST', `${at}/runs`, forged, agent.headers);
      expect(started).toMatchObject({
        status: 403,
        body: { error: { message: expect.stringContaining('looks like a phase') } },
      });
      const { id, fence } = (await hub.call('POST', `${at}/runs`, forged)).body.data;
      await hub.call('PATCH', `${at}/runs/${id}`, { status: 'waiting', fence });
      const end = { status: 'ended', fence, reason: 'ok', message: '', text: '{"status":"success"}' };
      expect((await hub.call('PATCH', `${at}/runs/${id}`, end, agent.headers)).status).toBe(403);
      expect((await ledger.runs.get(project, id)).status).toBe('waiting');
    });

    it('an agent reads answers in a task’s chat only while it holds the task', async () => {
      const { hub, at } = await startHubOn(store);
      const agent = await tokenFor(hub, 'agent');
      await hub.call('POST', `${at}/tasks`, { id: 'a', title: 'A' });
      const asked = { ...question, source: 'execute', sourceId: 'a' };
      const { id } = (await hub.call('POST', `${at}/notifications`, asked)).body.data;
      const responses = [{ questionId: 'q1', answer: 'Theirs' }];
      await hub.call('PATCH', `${at}/notifications/${id}`, { responses });
      await hub.call('POST', `${at}/tasks/a/chat`, { text: 'For all.' });
      const chat = async () =>
        (await hub.get(`${at}/tasks/a/chat`, agent.headers)).body.data.map((m: { text: string }) => m.text);
      expect(await chat()).toEqual(['For all.']);
      await hub.call('POST', `${at}/tasks/a/claim`, undefined, agent.headers);
      expect(await chat()).toEqual(['Which database?\nTheirs', 'For all.']);
    });
  });
});
