import { renameSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { loadSettings } from '../../../src/config/settings.ts';
import { untilReachable } from '../../../src/work/run/until-reachable.ts';
import { performTask } from '../../../src/work/worker/perform-task.ts';
import { inProjectFolder } from '../../../src/work/worker/project-folder.ts';
import { openWorktree } from '../../../src/work/worktrees/open-worktree.ts';
import { refusal } from '../../ledger/support/ask.ts';
import { ann } from '../../ledger/support/people.ts';
import { longTest } from '../../support/long-test.ts';
import { loginPhase, sh } from '../support/repository.ts';
import { sharedRepository } from '../support/shared-repository.ts';

test('TEAM-1 a run waits for an unreachable remote, reports it once, and stops waiting when it is stopped', async () => {
  const { remote, one } = await sharedRepository();
  const here = await one.at(1);
  renameSync(remote, `${remote}-away`);
  const told: string[] = [];
  const stop = new AbortController();
  const patient = {
    signal: stop.signal,
    tell: (sentence: string) => {
      told.push(sentence);
      if (told.length === 1) renameSync(`${remote}-away`, remote);
    },
  };
  const open = () => openWorktree(here, loginPhase('1'));
  expect((await untilReachable(patient, open)).branch).toBe('login--implementation-1');
  expect(told).toEqual([expect.stringContaining('waits for the remote: '), 'the remote is back']);

  renameSync(remote, `${remote}-away`);
  const stopping = { signal: stop.signal, tell: () => stop.abort() };
  expect(await refusal(untilReachable(stopping, open))).toMatchObject({ type: 'remote_missing' });
});

test('TEAM-1 a stopped run does not wait for a remote that does not respond', async () => {
  const { one } = await sharedRepository();
  const stop = new AbortController();
  const silent = createServer(() => stop.abort());
  onTestFinished(() => void silent.close());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as { port: number };
  sh(one.folder, 'config', 'remote.origin.url', `git://127.0.0.1:${port}/shop.git`);
  const here = { ...(await one.at(1)), signal: stop.signal };
  const began = performance.now();
  expect(await refusal(openWorktree(here, loginPhase('1')))).toMatchObject({ type: 'remote_away' });
  expect(performance.now() - began).toBeLessThan(20_000);
});

test('TEAM-1 TEAM-2 a worker that has no clone yet waits for a remote that others have used, not for one nobody has', async () => {
  const { remote, ledger, one } = await sharedRepository();
  const settings = loadSettings(one.folder, { FERMATA_HOME: join(remote, '../worker') });
  const options = { featureBranch: 'login', remote, options: { agent: 'scripted' } };
  const plan = { projectId: 'p-shop', plan: 'plans/login' };
  await ledger.tasks.ensure(plan, [{ projectId: 'p-shop', id: 'login/1', title: 'One' }], new Set(), ann);
  const task = await ledger.tasks.get('p-shop', 'login/1');
  await ledger.queue.place({ projectId: 'p-shop', scope: 'login/', needs: ['scripted'], options }, ann);
  const perform = async () => {
    renameSync(remote, `${remote}-away`);
    const stop = new AbortController();
    const told: string[] = [];
    const report = (event: object) => {
      told.push(JSON.stringify(event));
      stop.abort();
    };
    const held = { task, signal: stop.signal, confirm: async () => undefined, onHold: () => undefined };
    const refused = await refusal(performTask({ ledger, settings, env: {}, who: ann, report }, held));
    expect(refused).toMatchObject({ type: 'remote_missing' });
    renameSync(`${remote}-away`, remote);
    return told;
  };
  expect(await perform()).toEqual([]);
  await one.at();
  expect(await perform()).toEqual([expect.stringContaining('waits for the remote')]);
});

longTest(
  'TEAM-1 TEAM-2 a worker waits for an unreachable remote, and can be stopped while it does',
  async () => {
    const { remote, ledger, one } = await sharedRepository();
    const settings = loadSettings(one.folder, { FERMATA_HOME: join(remote, '../worker') });
    const remoteAway = 'git://127.0.0.1:1/shop.git';
    const options = { featureBranch: 'login', remote: remoteAway, options: { agent: 'scripted' } };
    const plan = { projectId: 'p-shop', plan: 'plans/login' };
    await ledger.tasks.ensure(plan, [{ projectId: 'p-shop', id: 'login/1', title: 'One' }], new Set(), ann);
    const task = await ledger.tasks.get('p-shop', 'login/1');
    await ledger.queue.place({ projectId: 'p-shop', scope: 'login/', needs: ['scripted'], options }, ann);
    const stop = new AbortController();
    const told: unknown[] = [];
    const report = (event: unknown) => {
      told.push(event);
      stop.abort();
    };
    const held = { task, signal: stop.signal, confirm: async () => undefined, onHold: () => undefined };
    const executing = performTask({ ledger, settings, env: {}, who: ann, report }, held);
    expect(await refusal(executing)).toMatchObject({ type: 'remote_away' });
    expect(told).toEqual([
      {
        kind: 'phase',
        task: 'login/1',
        phase: 'login/1',
        text: expect.stringContaining('waits for the remote'),
      },
    ]);

    const project = await ledger.projects.get('p-shop');
    let readers = 0;
    const most: number[] = [];
    const read = async (folder: string) => {
      most.push(++readers);
      await sleep(20);
      readers--;
      return folder;
    };
    const { signal } = new AbortController();
    const opened = [1, 2, 3, 4].map(() =>
      inProjectFolder({ ledger, settings, env: {} }, project, { ...options, remote }, signal, read),
    );
    expect(new Set(await Promise.all(opened)).size).toBe(1);
    expect(most, 'one checks out while no other reads').toEqual([1, 1, 1, 1]);
  },
);
