import { once } from 'node:events';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import type { By } from '../../../src/schema/actor.ts';
import { FermataError } from '../../../src/schema/error.ts';
import type { Answered, Claimed } from './words.ts';

/** One of many processes that open the ledger, say so, and on a word from the test all do the same thing. */
async function main([, , role, place = '', project = '', id = '', name = '']: string[]): Promise<void> {
  const ledger = await openLedger(place, {});
  await ledger.projects.get(project);
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

/** So many that there is just enough for everybody: nobody is done before the others begin. */
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

void main(process.argv);
