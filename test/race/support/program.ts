import { once } from 'node:events';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import type { By } from '../../../src/schema/actor.ts';
import { FermataError } from '../../../src/schema/error.ts';
import type { Answered, Claimed } from './words.ts';

/** One of many processes that open the ledger, say so, and all do the same thing when the test tells them to. */
async function main([, , role, place = '', project = '', id = '', name = '']: string[]): Promise<void> {
  const ledger = await openLedger(place, {});
  await ledger.projects.get(project);
  if (role === 'rehearse') {
    await rehearse(ledger);
    return ledger.close();
  }
  process.stdout.write('ready\n');
  await once(process.stdin, 'data');
  const result =
    role === 'answer'
      ? await answer(ledger, project, id, name)
      : await claimSome(ledger, project, Number(id), name);
  process.stdout.write(JSON.stringify(result));
  await ledger.close();
  process.exit();
}

async function answer(ledger: Ledger, project: string, id: string, name: string): Promise<Answered> {
  const by: By = { actor: { kind: 'person', name }, channel: 'command' };
  const responses = [{ questionId: 'q1', answer: `says ${name}` }];
  try {
    await ledger.notifications.resolve(project, id, { responses }, by);
    return { name, won: true };
  } catch (error) {
    if (!(error instanceof FermataError)) throw error;
    return { name, won: false, code: error.code, message: error.message, details: error.details };
  }
}

/** Just enough for all processes, so that none is done before the others start. */
async function claimSome(ledger: Ledger, project: string, count: number, name: string): Promise<Claimed[]> {
  const by: By = { actor: { kind: 'agent', name }, channel: 'agent' };
  const claimed: Claimed[] = [];
  while (claimed.length < count) {
    const task = await ledger.tasks.claimNext(project, { worker: name, leaseSeconds: 600 }, by);
    if (!task) break;
    claimed.push({ task: task.id, worker: name, fence: task.fence });
  }
  return claimed;
}

/** Does the same once in its own project, so that the others start with compiled code. */
async function rehearse(ledger: Ledger): Promise<void> {
  const by: By = { actor: { kind: 'agent', name: 'rehearsal' }, channel: 'agent' };
  const { id: projectId } = await ledger.projects.ensure({ id: 'rehearsal', name: 'rehearsal', root: null });
  const task = await ledger.tasks.add({ projectId, title: 'Rehearsal' }, by);
  const asked = { projectId, source: 'execute' as const, sourceId: task.id, questions: ['Which way?'] };
  const { notification } = await ledger.notifications.create(asked, by);
  for (const name of ['first', 'second']) await answer(ledger, projectId, notification.id, name);
  await claimSome(ledger, projectId, 2, 'rehearsal');
}

void main(process.argv);
