import { mkdirSync, writeFileSync } from 'node:fs';
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
  const home = join(repository.cwd, '..', 'hub-home');
  mkdirSync(home, { recursive: true });
  const hub = await testHub({ place }, { home, plans: { store: place, env } });
  const { id } = (await hub.call('POST', '/projects', { root: repository.cwd })).body.data;
  return { hub, at: `/projects/${id}` };
}

const runs = (hub: TestHub, at: string, more: object = { agent: 'scripted' }, plan = 'plans/shop') =>
  hub.call('POST', `${at}/tasks`, { kind: 'run', input: { plan }, start: more });

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
      const { work } = (await hub.get(`${at}/plans/shop`)).body.data;
      expect(work.running).toBe(false);
      return work;
    },
    { timeout: 90_000, interval: 200 },
  );

it('WORK-7 a person starts a run after trusting the plan; it outlives the request and continues by itself in the next hub (HUB-1, RUN-2)', async () => {
  // What the hub's environment trusts in advance does not count.
  const repository = planRepository([asks], { FERMATA_TRUST: '1' });
  const { hub, at } = await hubOn(repository);
  const first = await runs(hub, at);
  expect(first.status).toBe(409);
  expect(first.body.error).toMatchObject({ code: 'waiting' });
  await answerAll(hub, at, 'Approve');

  const started = await runs(hub, at);
  expect(started.body, JSON.stringify(started.body)).toMatchObject({
    data: { id: 'run:shop', work: { running: true } },
  });
  expect(started.status).toBe(201);
  expect((await runs(hub, at, {})).status).toBe(409);
  await isAsked(hub, at, 'Which colour?');
  await hub.stop();

  const next = await hubOn(repository);
  await answerAll(next.hub, at, 'green');
  expect(await isEnded(next.hub, at)).toEqual({ running: false, result: 'done', error: null });
  expect(repository.git('show', 'work:a.txt')).toBe('green');
}, 240_000);

it('WORK-6 a run is paused, keeps its question, and goes on when it is started again (HUB-1)', async () => {
  const repository = planRepository([asks]);
  const { hub, at } = await hubOn(repository);
  await runs(hub, at);
  await answerAll(hub, at, 'Approve');
  expect((await runs(hub, at)).status).toBe(201);
  await isAsked(hub, at, 'Which colour?');
  const paused = await hub.call('POST', `${at}/tasks/run:shop/pause`);
  expect(paused.body.data.work).toMatchObject({ running: false, result: 'interrupted' });
  expect(await open(hub, at)).toHaveLength(1);
  await answerAll(hub, at, 'green');
  expect((await hub.get(`${at}/tasks/shop%2F1`)).body.data).toMatchObject({ status: 'open', paused: true });
  expect((await hub.call('POST', `${at}/tasks/run:shop/start`, {})).status).toBe(200);
  expect(await isEnded(hub, at)).toMatchObject({ result: 'done' });
}, 120_000);

it('agents, unknown plans, programs of the caller and plans that fail the audit are refused (HUB-3, RUN-1)', async () => {
  const repository = planRepository([{ id: '1' }]);
  const { hub, at } = await hubOn(repository);
  const { secret } = (await hub.call('POST', '/tokens', { name: 'coder', role: 'agent' })).body.data;
  const agent = { authorization: `Bearer ${secret}` };
  const body = { kind: 'run', input: { plan: 'plans/shop' }, start: {} };
  expect((await hub.call('POST', `${at}/tasks`, body, agent)).status).toBe(403);
  expect((await runs(hub, at, {}, 'plans/../shop')).status).toBe(400);
  expect((await runs(hub, at, {}, 'plans/other')).status).toBe(404);
  for (const more of [{ agentCommand: '/bin/sh' }, { agent: 'command' }, { trust: true }])
    expect((await runs(hub, at, more)).status).toBe(400);
  writeFileSync(join(repository.cwd, 'plans/shop/phase-1.md'), '# Phase 1: {{title}}\n');
  const failed = await runs(hub, at);
  expect(failed.body.error).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('fails the audit'),
  });
  expect((await hub.get(`${at}/plans/shop`)).body.data.work.running).toBe(false);
});
