import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { By } from '../../src/schema/actor.ts';
import { eachStore } from '../ledger/support/stores.ts';
import { bundledProgram, type Program } from '../support/bundled-program.ts';
import { isLong } from '../support/long.ts';
import { race } from './support/race.ts';
import type { Answered, Claimed } from './support/words.ts';

const ANSWERERS = isLong ? 64 : 5;
const CLAIMERS = isLong ? 8 : 3;
const TASKS = CLAIMERS * 25;
const coder: By = { actor: { kind: 'agent', name: 'coder' }, channel: 'agent' };
const names = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word}-${index + 1}`);

let program: Program;
beforeAll(async () => {
  program = await bundledProgram(join(import.meta.dirname, 'support/program.ts'));
});

eachStore((store) => {
  it(`LED-4 LED-7 of ${ANSWERERS} processes that answer one question differently at once, one wins and the others learn who and with what`, async () => {
    const { ledger, project } = await store.start();
    const task = await ledger.tasks.add({ projectId: project, title: 'The one that waits' }, coder);
    const asked = {
      projectId: project,
      source: 'execute' as const,
      sourceId: task.id,
      questions: ['Which way?'],
    };
    const { notification } = await ledger.notifications.create(asked, coder);
    const people = names(ANSWERERS, 'person');
    await program.rehearse('rehearse', store.place, project);

    const ends = await race<Answered>(
      program.file,
      people.map((name) => ['answer', store.place, project, notification.id, name]),
    );

    const winners = ends.filter((end) => end.won);
    expect(winners).toHaveLength(1);
    const [winner] = winners;
    const response = { questionId: 'q1', kind: 'answered', answer: `says ${winner?.name}` };
    const told = {
      code: 'conflict',
      message: expect.stringContaining(`settled by ${winner?.name} (command) at`),
      details: {
        outcome: 'answered',
        by: { actor: { kind: 'person', name: winner?.name } },
        responses: [response],
      },
    };
    const losers = ends.filter((end) => !end.won);
    expect(losers).toHaveLength(ANSWERERS - 1);
    for (const loser of losers) expect(loser).toMatchObject(told);
    expect(await ledger.notifications.get(project, notification.id)).toMatchObject({ responses: [response] });
    expect(await ledger.tasks.chat(project, task.id)).toHaveLength(1);
    expect(await ledger.decisions.list(project)).toHaveLength(1);
    expect(await ledger.tasks.get(project, task.id)).toMatchObject({ status: 'open', blockReason: null });
    const types = (await ledger.events.list(project)).map(({ type }) => type);
    expect(types.filter((type) => type === 'notification.resolved')).toHaveLength(1);
  }, 240_000);

  it(`LED-8 ${CLAIMERS} processes that claim ${TASKS} tasks at once take each once, with a fence that lets only its holder write`, async () => {
    const { ledger, project } = await store.start();
    const tasks = await Promise.all(
      names(TASKS, 'task').map((id) => ledger.tasks.add({ projectId: project, id, title: id }, coder)),
    );
    await program.rehearse('rehearse', store.place, project);

    const claims = await race<Claimed[]>(
      program.file,
      names(CLAIMERS, 'worker').map((name) => ['claim', store.place, project, '25', name]),
    );

    const claimed = claims.flat();
    expect(claimed.map(({ task }) => task).sort()).toEqual(tasks.map(({ id }) => id).sort());
    expect(claims.map((some) => some.length)).toEqual(Array(CLAIMERS).fill(25));
    for (const { task, worker, fence } of claimed) {
      expect(fence).toBe(1);
      expect(await ledger.tasks.get(project, task)).toMatchObject({
        status: 'in_progress',
        assignee: worker,
        fence,
      });
    }
    const [first] = claimed;
    const stale = ledger.tasks.heartbeat(project, first?.task ?? '', 0, 60, coder);
    await expect(stale).rejects.toMatchObject({ code: 'stale' });
    expect(await ledger.tasks.ready(project)).toEqual([]);
  }, 240_000);
});
