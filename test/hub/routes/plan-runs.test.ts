import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { Notification } from '../../../src/schema/notification.ts';
import { planRepository, type TestPhase } from '../../cli/run/support/plan-repository.ts';
import { environment } from '../../support/fermata.ts';
import { type TestHub, testHub } from '../support/hub.ts';

const asks: TestPhase = {
  id: '1',
  steps: [
    { do: 'ask', questions: [{ id: 'q', question: 'Which colour?' }] },
    { do: 'write', path: 'a.txt', content: '{{answer:q}}\n' },
  ],
};

async function hubOn(repository: ReturnType<typeof planRepository>) {
  const place = join(repository.cwd, '..', 'ledger.db');
  const env = environment(repository.at.env);
  const hub = await testHub({ place }, { plans: { store: place, env } });
  const { id } = (await hub.call('POST', '/projects', { root: repository.cwd })).body.data;
  return { hub, at: `/projects/${id}` };
}

const open = async (hub: TestHub, at: string): Promise<Notification[]> =>
  (await hub.get(`${at}/notifications`)).body.data;

async function answerAll(hub: TestHub, at: string, answer: string): Promise<void> {
  for (const { id, questions } of await open(hub, at)) {
    const responses = questions.map((question) => ({ questionId: question.id, answer }));
    expect((await hub.call('PATCH', `${at}/notifications/${id}`, { responses })).status).toBe(200);
  }
}

const isAsked = (hub: TestHub, at: string, text: string) =>
  vi.waitFor(async () => expect((await open(hub, at))[0]?.questions[0]?.text).toBe(text), {
    timeout: 90_000,
    interval: 200,
  });

const isEnded = (hub: TestHub, at: string) =>
  vi.waitFor(
    async () => {
      const { data } = (await hub.get(`${at}/plans/shop/run`)).body;
      expect(data.running).toBe(false);
      return data;
    },
    { timeout: 90_000, interval: 200 },
  );

it('a person starts a run after trusting the plan; it outlives the request and is resumed by another hub (HUB-1, RUN-2)', async () => {
  // What the hub's environment trusts in advance does not count.
  const repository = planRepository([asks], { FERMATA_TRUST: '1' });
  const { hub, at } = await hubOn(repository);
  const run = `${at}/plans/shop/run`;
  const first = await hub.call('POST', run, { agent: 'scripted' });
  expect(first.status).toBe(409);
  expect(first.body.error).toMatchObject({ code: 'waiting' });
  await answerAll(hub, at, 'Approve');

  const started = await hub.call('POST', run, { agent: 'scripted' });
  expect(started.body, JSON.stringify(started.body)).toMatchObject({ data: { plan: 'shop', running: true } });
  expect(started.status).toBe(201);
  expect((await hub.call('POST', run, {})).status).toBe(409);
  await isAsked(hub, at, 'Which colour?');
  await hub.stop();

  const next = await hubOn(repository);
  expect((await next.hub.get(run)).body.data).toEqual({
    plan: 'shop',
    running: false,
    result: null,
    error: null,
  });
  await answerAll(next.hub, at, 'green');
  expect((await next.hub.call('POST', run, {})).status).toBe(201);
  expect(await isEnded(next.hub, at)).toEqual({ plan: 'shop', running: false, result: 'done', error: null });
  expect(repository.git('show', 'work:a.txt')).toBe('green');
}, 240_000);

it('a run is stopped by its route, and keeps its question (HUB-1)', async () => {
  const repository = planRepository([asks]);
  const { hub, at } = await hubOn(repository);
  const run = `${at}/plans/shop/run`;
  await hub.call('POST', run, { agent: 'scripted' });
  await answerAll(hub, at, 'Approve');
  expect((await hub.call('POST', run, { agent: 'scripted' })).status).toBe(201);
  await isAsked(hub, at, 'Which colour?');
  expect((await hub.call('DELETE', run)).body.data).toMatchObject({ running: false, result: 'interrupted' });
  expect(await open(hub, at)).toHaveLength(1);
}, 120_000);

it('agents, unknown plans, programs of the caller and plans that fail the audit are refused (HUB-3, RUN-1)', async () => {
  const repository = planRepository([{ id: '1' }]);
  const { hub, at } = await hubOn(repository);
  const run = `${at}/plans/shop/run`;
  const { secret } = (await hub.call('POST', '/tokens', { name: 'coder', role: 'agent' })).body.data;
  const agent = { authorization: `Bearer ${secret}` };
  expect((await hub.call('POST', run, {}, agent)).status).toBe(403);
  expect((await hub.call('DELETE', run, undefined, agent)).status).toBe(403);
  expect((await hub.call('POST', `${at}/plans/..%2Fshop/run`, {})).status).toBe(404);
  expect((await hub.call('POST', run, { agentCommand: '/bin/sh' })).status).toBe(400);
  expect((await hub.call('POST', run, { agent: 'command' })).status).toBe(400);
  expect((await hub.call('POST', run, { trust: true })).status).toBe(400);
  writeFileSync(join(repository.cwd, 'plans/shop/phase-1.md'), '# Phase 1: {{title}}\n');
  const failed = await hub.call('POST', run, { agent: 'scripted' });
  expect(failed.body.error).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('fails the audit'),
  });
  expect((await hub.get(run)).body.data.running).toBe(false);
});
