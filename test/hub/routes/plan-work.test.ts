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
    const hub = await testHub({ place }, { home, plans: { store: place, env } });
    const { id } = (await hub.call('POST', '/projects', { root: cwd })).body.data;
    return { hub, at: `/projects/${id}` };
  };
  return { cwd, handle, start };
}

const draftOf = ({ plan = 'plans/shop', ...input }: { idea: string; adaptive?: boolean; plan?: string }) => ({
  kind: 'draft',
  input: { plan, ...input },
  start: { agent: 'scripted' },
});

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
      const { work } = (await hub.get(path)).body.data;
      expect(work.running).toBe(false);
      return work;
    },
    { timeout: 60_000, interval: 100 },
  );

it('WORK-7 a draft asks in the inbox, is stopped with its hub, and continues by itself in the next (HUB-1, ADP-2)', async () => {
  const shop = project(
    new ScenarioBuilder()
      .withSessionId('session-1')
      .asksQuestions([{ id: 'db', question: 'Which database?' }])
      .respondsWithText(`${MASTER}\n${phase('{{answer:db}}')}`),
  );
  const body = draftOf({ idea: 'A shop', adaptive: true });
  const first = await shop.start();
  const path = `${first.at}/tasks/draft:shop`;
  const started = await first.hub.call('POST', `${first.at}/tasks`, body);
  expect(started.body, JSON.stringify(started.body)).toMatchObject({
    data: { id: 'draft:shop', kind: 'draft', work: { running: true } },
  });
  expect(started.status).toBe(201);
  expect((await first.hub.call('POST', `${first.at}/tasks`, body)).status).toBe(409);
  expect(await asked(first.hub, first.at)).toMatchObject([{ questions: [{ text: 'Which database?' }] }]);
  await first.hub.stop();

  const next = await shop.start();
  await answerAll(next.hub, next.at, 'SQLite');
  expect(await ended(next.hub, path)).toEqual({ running: false, result: 'done', error: null });
  expect(readFileSync(join(shop.cwd, 'plans/shop/phase-1.md'), 'utf8')).toContain('# Phase 1: SQLite\n');
  expect(shop.handle.answers(), 'nobody was asked twice').toHaveLength(1);
}, 120_000);

it('a draft is stopped by its route, and keeps its question (HUB-1)', async () => {
  const shop = project(new ScenarioBuilder().asksQuestions(['Which database?']).respondsWithText(PLAN));
  const { hub, at } = await shop.start();
  await hub.call('POST', `${at}/tasks`, draftOf({ idea: 'A shop', adaptive: true }));
  await asked(hub, at);
  const stopped = await hub.call('POST', `${at}/tasks/draft:shop/stop`);
  expect(stopped.body.data.work).toMatchObject({ running: false, result: 'interrupted' });
  expect(await open(hub, at)).toHaveLength(1);
}, 60_000);

it('a conversion is repaired until it passes the audit, and one that fails says why (HUB-1, CONV-4)', async () => {
  const scenario = new ScenarioBuilder();
  for (const text of [BAD_PLAN, PLAN, BAD_PLAN, BAD_PLAN]) scenario.respondsWithText(text).nextInvocation();
  const shop = project(scenario.respondsWithText(BAD_PLAN));
  const { hub, at } = await shop.start();
  const converts = (plan: string) =>
    hub.call('POST', `${at}/tasks`, {
      kind: 'convert',
      input: { plan, text: '# Shop\n\nBuild a shop in two steps.\n' },
      start: { agent: 'scripted' },
    });
  expect((await converts('plans/shop')).status).toBe(201);
  expect(await ended(hub, `${at}/tasks/convert:shop`)).toMatchObject({ result: 'done', error: null });
  expect(existsSync(join(shop.cwd, 'plans/shop/MASTER_PLAN.md'))).toBe(true);
  expect((await converts('plans/shop')).body.error.message).toContain('is not empty');

  expect((await converts('plans/other')).status).toBe(201);
  expect(await ended(hub, `${at}/tasks/convert:other`)).toMatchObject({
    result: 'failed',
    error: 'None of the 3 attempts passed the audit.',
  });
  expect(existsSync(join(shop.cwd, 'plans/other'))).toBe(false);
}, 60_000);

it('a plan from issues waits in the hub until its questions are answered, and has the answers (HUB-1, GAP-5)', async () => {
  const library = project(new ScenarioBuilder().respondsWithText(LIBRARY_PLAN));
  cpSync(ISSUES, join(library.cwd, 'issues'), { recursive: true });
  const { hub, at } = await library.start();
  const path = `${at}/tasks/plan_from_issues:library`;
  const started = await hub.call('POST', `${at}/tasks`, {
    kind: 'plan_from_issues',
    input: { plan: 'plans/library', fromDir: 'issues', maxQuestions: 2 },
    start: { agent: 'scripted' },
  });
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
  const reviews = (reviewed: string) =>
    hub.call('POST', `${at}/tasks`, {
      kind: 'review',
      input: { reviews: reviewed },
      start: { agent: 'scripted' },
    });
  const started = await reviews('shop/1');
  expect(started.status, JSON.stringify(started.body)).toBe(201);
  const path = `${at}/tasks/review:shop:1`;
  expect(await ended(hub, path)).toMatchObject({ result: 'done', error: null });
  expect((await hub.get(`${path}/chat`)).body.data).toMatchObject([
    { text: expect.stringMatching(/Verdict: changes. Name it\.$/) },
  ]);
  expect((await reviews('shop/7')).status).toBe(404);
}, 60_000);

it('agents, names and folders outside the project, links and programs of the caller are refused (HUB-3)', async () => {
  const shop = project(new ScenarioBuilder().respondsWithText(PLAN));
  const { hub, at } = await shop.start();
  const { secret } = (await hub.call('POST', '/tokens', { name: 'coder', role: 'agent' })).body.data;
  const agent = { authorization: `Bearer ${secret}` };
  const tasks = `${at}/tasks`;
  const draft = draftOf({ idea: 'A shop' });
  expect((await hub.call('POST', tasks, draft, agent)).status).toBe(403);
  for (const verb of ['start', 'stop', 'pause', 'resume', 'withdraw'])
    expect(
      (await hub.call('POST', `${tasks}/draft:shop/${verb}`, verb === 'start' ? {} : undefined, agent))
        .status,
    ).toBe(403);
  for (const plan of ['../shop', 'plans/../shop', '/etc', 'docs/shop', 'plans/.git'])
    expect((await hub.call('POST', tasks, draftOf({ idea: 'A shop', plan }))).status, plan).toBe(400);
  for (const more of [
    { trust: true },
    { agent: 'command' },
    { agentCommand: '/bin/sh' },
    { output: '/tmp' },
  ]) {
    expect((await hub.call('POST', tasks, { ...draft, start: { ...draft.start, ...more } })).status).toBe(
      400,
    );
    expect((await hub.call('POST', tasks, { ...draft, ...more })).status).toBe(400);
  }
  const issues = (input: object) =>
    hub.call('POST', tasks, { kind: 'plan_from_issues', input: { plan: 'plans/shop', ...input }, start: {} });
  expect((await issues({ fromDir: '..' })).status).toBe(404);
  expect((await issues({ repo: 'evil.example/owner/name' })).status).toBe(400);
  mkdirSync(join(shop.cwd, '../elsewhere'));
  symlinkSync(join(shop.cwd, '../elsewhere'), join(shop.cwd, 'plans'));
  expect((await hub.call('POST', tasks, draft)).body.error.message).toContain('is a link');
  expect(shop.handle.invocations()).toHaveLength(0);
});
