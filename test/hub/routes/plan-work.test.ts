import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Notification } from '../../../src/schema/notification.ts';
import { ScenarioBuilder } from '../../../src/testing.ts';
import { PLAN as LIBRARY_PLAN } from '../../cli/plan-from-issues/support/place.ts';
import { BAD_PLAN, MASTER, PLAN, phase } from '../../plan/convert/support/plans.ts';
import { environment, freshFolder } from '../../support/fermata.ts';
import { call, makeWorktree, planProject } from '../../work/support/plan-project.ts';
import { commit } from '../../work/support/repository.ts';
import { type TestHub, testHub } from '../support/hub.ts';

const ISSUES = join(import.meta.dirname, '../../../examples/issues');

/** A project whose agent plays a scenario, and how to start a hub on it. */
function project(scenario: ScenarioBuilder, cwd = freshFolder(), more: Record<string, string> = {}) {
  const handle = scenario.build();
  onTestFinished(() => handle.remove());
  const home = more.FERMATA_HOME ?? join(cwd, '..', 'home');
  mkdirSync(home, { recursive: true });
  const place = join(home, 'ledger.db');
  const env = environment({ ...more, FERMATA_HOME: home, ...handle.env });
  const start = async () => {
    const hub = await testHub({ place }, { plans: { store: place, env } });
    const { id } = (await hub.call('POST', '/projects', { root: cwd })).body.data;
    return { hub, at: `/projects/${id}` };
  };
  return { cwd, handle, start };
}

const open = async (hub: TestHub, at: string): Promise<Notification[]> =>
  (await hub.get(`${at}/notifications`)).body.data;

async function asked(hub: TestHub, at: string): Promise<Notification[]> {
  return vi.waitFor(
    async () => {
      const all = await open(hub, at);
      expect(all.length).toBeGreaterThan(0);
      return all;
    },
    { timeout: 60_000, interval: 100 },
  );
}

async function answerAll(hub: TestHub, at: string, answer: string): Promise<void> {
  for (const { id, questions } of await open(hub, at)) {
    const responses = questions.map((question) => ({ questionId: question.id, answer }));
    expect((await hub.call('PATCH', `${at}/notifications/${id}`, { responses })).status).toBe(200);
  }
}

const ended = (hub: TestHub, path: string) =>
  vi.waitFor(
    async () => {
      const { data } = (await hub.get(path)).body;
      expect(data.running).toBe(false);
      return data;
    },
    { timeout: 60_000, interval: 100 },
  );

it('a draft asks in the inbox, is stopped with its hub, and is resumed by the same request to another (HUB-1, ADP-2)', async () => {
  const shop = project(
    new ScenarioBuilder()
      .withSessionId('session-1')
      .asksQuestions([{ id: 'db', question: 'Which database?' }])
      .respondsWithText(`${MASTER}\n${phase('{{answer:db}}')}`),
  );
  const body = { idea: 'A shop', adaptive: true, agent: 'scripted' };
  const first = await shop.start();
  const path = `${first.at}/plans/shop/draft`;
  const started = await first.hub.call('POST', path, body);
  expect(started.body, JSON.stringify(started.body)).toMatchObject({ data: { plan: 'shop', running: true } });
  expect(started.status).toBe(201);
  expect((await first.hub.call('POST', path, body)).status).toBe(409);
  expect(await asked(first.hub, first.at)).toMatchObject([{ questions: [{ text: 'Which database?' }] }]);
  await first.hub.stop();

  const next = await shop.start();
  expect((await next.hub.get(path)).body.data).toMatchObject({ running: false, result: null });
  expect((await next.hub.call('POST', path, body)).status).toBe(201);
  await answerAll(next.hub, next.at, 'SQLite');
  expect(await ended(next.hub, path)).toEqual({ plan: 'shop', running: false, result: 'done', error: null });
  expect(readFileSync(join(shop.cwd, 'plans/shop/phase-1.md'), 'utf8')).toContain('# Phase 1: SQLite\n');
  expect(shop.handle.answers(), 'nobody was asked twice').toHaveLength(1);
}, 120_000);

it('a draft is stopped by its route, and keeps its question (HUB-1)', async () => {
  const shop = project(new ScenarioBuilder().asksQuestions(['Which database?']).respondsWithText(PLAN));
  const { hub, at } = await shop.start();
  const path = `${at}/plans/shop/draft`;
  await hub.call('POST', path, { idea: 'A shop', adaptive: true, agent: 'scripted' });
  await asked(hub, at);
  expect((await hub.call('DELETE', path)).body.data).toMatchObject({ running: false, result: 'interrupted' });
  expect(await open(hub, at)).toHaveLength(1);
}, 60_000);

it('a conversion is repaired until it passes the audit, and one that fails says why (HUB-1, CONV-4)', async () => {
  const scenario = new ScenarioBuilder();
  for (const text of [BAD_PLAN, PLAN, BAD_PLAN, BAD_PLAN]) scenario.respondsWithText(text).nextInvocation();
  const shop = project(scenario.respondsWithText(BAD_PLAN));
  const { hub, at } = await shop.start();
  const path = `${at}/plans/shop/conversion`;
  const body = { text: '# Shop\n\nBuild a shop in two steps.\n', agent: 'scripted' };
  expect((await hub.call('POST', path, body)).status).toBe(201);
  expect(await ended(hub, path)).toMatchObject({ result: 'done', error: null });
  expect(existsSync(join(shop.cwd, 'plans/shop/MASTER_PLAN.md'))).toBe(true);
  expect((await hub.call('POST', path, body)).body.error.message).toContain('is not empty');

  const other = `${at}/plans/other/conversion`;
  expect((await hub.call('POST', other, body)).status).toBe(201);
  expect(await ended(hub, other)).toMatchObject({
    result: 'failed',
    error: 'None of the 3 attempts passed the audit.',
  });
  expect(existsSync(join(shop.cwd, 'plans/other'))).toBe(false);
}, 60_000);

it('a plan from issues waits in the hub until its questions are answered, and has the answers (HUB-1, GAP-5)', async () => {
  const library = project(new ScenarioBuilder().respondsWithText(LIBRARY_PLAN));
  cpSync(ISSUES, join(library.cwd, 'issues'), { recursive: true });
  const { hub, at } = await library.start();
  const path = `${at}/plans/library/from-issues`;
  const body = { fromDir: 'issues', maxQuestions: 2, agent: 'scripted' };
  const started = await hub.call('POST', path, body);
  expect(started.status, JSON.stringify(started.body)).toBe(201);
  await vi.waitFor(async () => expect(await open(hub, at)).toHaveLength(2), { timeout: 30_000 });
  expect(library.handle.invocations(), 'no agent starts before').toHaveLength(0);
  await answerAll(hub, at, 'As the hub says');
  expect(await ended(hub, path)).toMatchObject({ result: 'done', error: null });
  const master = readFileSync(join(library.cwd, 'plans/library/MASTER_PLAN.md'), 'utf8');
  expect(master.split('**As the hub says**')).toHaveLength(3);
}, 60_000);

it('a phase is reviewed, and its verdict can be read (HUB-1, CMD-14)', async () => {
  const main = planProject([{ id: '1' }]);
  const branch = 'feat/shop--implementation-1';
  await call(main, 'plan', 'start-prompt', '1', '--specialist', 'be', '--worktree', branch);
  commit(makeWorktree(main, branch).cwd, 'work', { 'done.txt': 'x\n' });
  const reviewer = new ScenarioBuilder().respondsWithText('{"verdict":"changes","thoughts":"Name it."}');
  const { hub, at } = await project(reviewer, main.cwd, main.env as Record<string, string>).start();
  const path = `${at}/plans/shop/phases/1/review`;
  expect((await hub.get(path)).body.data).toMatchObject({ phase: '1', running: false, review: null });
  const started = await hub.call('POST', path, { agent: 'scripted' });
  expect(started.status, JSON.stringify(started.body)).toBe(201);
  expect(await ended(hub, path)).toMatchObject({
    plan: 'shop',
    phase: '1',
    result: 'done',
    error: null,
    review: { verdict: 'changes', thoughts: 'Name it.' },
  });
  expect((await hub.call('POST', `${at}/plans/shop/phases/7/review`, {})).status).toBe(404);
}, 60_000);

it('agents, names and folders outside the project, links and programs of the caller are refused (HUB-3)', async () => {
  const shop = project(new ScenarioBuilder().respondsWithText(PLAN));
  const { hub, at } = await shop.start();
  const { secret } = (await hub.call('POST', '/tokens', { name: 'coder', role: 'agent' })).body.data;
  const agent = { authorization: `Bearer ${secret}` };
  const draft = `${at}/plans/shop/draft`;
  const idea = { idea: 'A shop', agent: 'scripted' };
  for (const method of ['POST', 'GET', 'DELETE'])
    expect((await hub.call(method, draft, method === 'POST' ? idea : undefined, agent)).status).toBe(403);
  expect((await hub.call('POST', `${at}/plans/..%2Fshop/draft`, idea)).status).toBe(400);
  for (const more of [{ trust: true }, { agent: 'command' }, { agentCommand: '/bin/sh' }, { output: '/tmp' }])
    expect((await hub.call('POST', draft, { ...idea, ...more })).status).toBe(400);
  const issues = `${at}/plans/shop/from-issues`;
  expect((await hub.call('POST', issues, { fromDir: '..' })).status).toBe(404);
  expect((await hub.call('POST', issues, { repo: 'evil.example/owner/name' })).status).toBe(400);
  mkdirSync(join(shop.cwd, '../elsewhere'));
  symlinkSync(join(shop.cwd, '../elsewhere'), join(shop.cwd, 'plans'));
  expect((await hub.call('POST', draft, idea)).body.error.message).toContain('is a link');
  expect(shop.handle.invocations()).toHaveLength(0);
});
