import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { doing, taskPlace, write } from '../../cli/support/task-place.ts';
import { environment } from '../../support/fermata.ts';
import { testHub } from '../support/hub.ts';

const LONG = 120_000;

async function hubOn(place: ReturnType<typeof taskPlace>) {
  const store = join(place.cwd, '..', 'ledger.db');
  const hub = await testHub({ place: store }, { plans: { store, env: environment(place.at.env) } });
  const { id } = (await hub.call('POST', '/projects', { root: place.cwd })).body.data;
  return { hub, at: `/projects/${id}` };
}

test(
  'TEAM-4 the hub works on a task, is paused with its question kept, and refuses agents and unknown tasks',
  async () => {
    const place = taskPlace(
      doing(
        { do: 'ask', questions: [{ id: 'q', question: 'Which word?' }] },
        write('a.txt', '{{answer:q}}\n'),
      ),
      { checks: [] },
    );
    const { hub, at } = await hubOn(place);
    await hub.call('POST', `${at}/tasks`, { id: 'greet', title: 'Greet', body: 'Greet people.' });
    const task = `${at}/tasks/greet`;
    const work = `${task}/start`;
    expect((await hub.get(task)).body.data.work).toMatchObject({ running: false, result: null });
    const { secret } = (await hub.call('POST', '/tokens', { name: 'coder', role: 'agent' })).body.data;
    const agent = { authorization: `Bearer ${secret}` };
    expect((await hub.call('POST', work, {}, agent)).status).toBe(403);
    expect((await hub.call('POST', work, { agentCommand: '/bin/sh' })).status).toBe(400);
    expect((await hub.call('POST', `${at}/tasks/none/start`, { agent: 'scripted' })).status).toBe(404);

    expect((await hub.call('POST', work, { agent: 'scripted' })).status).toBe(200);
    expect((await hub.call('POST', work, {})).status).toBe(409);
    await vi.waitFor(async () => expect((await hub.get(`${at}/notifications`)).body.data).toHaveLength(1), {
      timeout: 60_000,
      interval: 100,
    });
    expect((await hub.call('POST', `${task}/pause`)).body.data.work).toMatchObject({
      running: false,
      result: 'interrupted',
    });
    const [asked] = (await hub.get(`${at}/notifications`)).body.data;
    expect(asked.questions[0].text).toBe('Which word?');
  },
  LONG,
);
