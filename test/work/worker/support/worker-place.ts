import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadSettings } from '../../../../src/config/settings.ts';
import { repositoryAt } from '../../../../src/git/remote/address.ts';
import { type Ledger, openLedger } from '../../../../src/ledger/ledger.ts';
import type { Notification } from '../../../../src/schema/notification.ts';
import type { Task } from '../../../../src/schema/task.ts';
import type { WorkOf, WorkTask } from '../../../../src/schema/work.ts';
import type { ScenarioBuilder } from '../../../../src/testing.ts';
import { runWorker } from '../../../../src/work/worker/worker.ts';
import { ann } from '../../../ledger/support/people.ts';
import type { TestStore } from '../../../ledger/support/test-store.ts';
import { environment, freshFolder } from '../../../support/fermata.ts';
import { commit, initRepository, sh } from '../../support/repository.ts';

/** A bare repository, a project that no folder of this machine belongs to, and a worker with a home of its own. */
export async function workerPlace(
  store: TestStore,
  scenario: ScenarioBuilder,
  files: Record<string, string> = {},
) {
  const { ledger, project } = await store.start();
  const handle = scenario.build();
  onTestFinished(() => handle.remove());
  const folder = freshFolder();
  const remote = bareRemote(folder, { 'README.md': '# Shop\n', ...files });
  await ledger.clones.accept(project, repositoryAt(remote), ann);
  const env = environment({
    FERMATA_HOME: join(folder, '../home'),
    FERMATA_STORE: store.workerPlace,
    FERMATA_NO_REVIEW: '1',
    ...handle.env,
  });
  const options = { featureBranch: 'main', remote, options: { agent: 'scripted' } };
  return {
    ...{ ledger, project, handle, remote },
    /** Leaves this to workers, and returns the id of the task. */
    async queue(scope: string, draft?: WorkOf<'draft'>): Promise<string> {
      if (draft) await ledger.tasks.submit({ projectId: project, id: scope, title: scope }, draft, ann);
      await ledger.queue.place({ projectId: project, scope, needs: ['scripted'], options }, ann);
      return scope;
    },
    feedback: (text: string): Promise<WorkTask<'feedback'>> =>
      ledger.tasks.submit({ projectId: project, title: text }, { kind: 'feedback', input: { text } }, ann),
    /** In this process, until the test is over. */
    async startWorker(): Promise<void> {
      // The store closes what it opened before a test is over.
      startWorkerIn(await openLedger(store.workerPlace, {}), folder, env, ['scripted']);
    },
    /** What the remote has at this path of a branch. */
    pushed: (branch: string, path: string) => sh(remote, 'show', `${branch}:${path}`),
    /** Waits until the task is done or has failed. */
    over: (id: string): Promise<Task> =>
      until(ledger, async () => {
        const task = await ledger.tasks.get(project, id);
        return task.status === 'closed' || task.status === 'blocked' ? task : undefined;
      }),
    /** Waits for the first open question. */
    question: (): Promise<Notification> =>
      until(ledger, async () => {
        const { notifications } = await ledger.notifications.list({ projectId: project, status: ['open'] });
        return notifications[0];
      }),
    said: async (id: string) => (await ledger.tasks.chat(project, id)).map(({ text }) => text),
  };
}

/** In this process, until the test is over; then it closes the ledger. */
export function startWorkerIn(
  ledger: Ledger,
  folder: string,
  env: Record<string, string | undefined>,
  abilities: string[],
): void {
  const settings = loadSettings(folder, env);
  const stop = new AbortController();
  const parts = { ledger, settings, env, who: ann, report: () => undefined };
  const options = { name: 'w', version: '1', slots: 1, abilities, projects: null };
  const ended = runWorker(parts, { ...options, signal: stop.signal });
  onTestFinished(async () => {
    stop.abort();
    await ended;
    await ledger.close();
  });
}

function bareRemote(cwd: string, files: Record<string, string>): string {
  initRepository(cwd);
  commit(cwd, 'A shop', files);
  const remote = join(cwd, '../shop.git');
  sh(cwd, 'clone', '--quiet', '--bare', cwd, remote);
  return remote;
}

export async function until<T>(ledger: Ledger, look: () => Promise<T | undefined>): Promise<T> {
  for await (const _ of ledger.events.changes(AbortSignal.timeout(110_000))) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error('It did not happen in time.');
}
