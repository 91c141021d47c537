import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FermataError } from '../../src/schema/error.ts';
import { history, readyIds } from '../ledger/support/ask.ts';
import { ann } from '../ledger/support/people.ts';
import { eachStore } from '../ledger/support/stores.ts';
import { isLong } from '../support/long.ts';
import { type Real, type Step, step } from './support/commands.ts';
import { Model, Refused } from './support/model.ts';

const runs = isLong ? { SQLite: 1000, PostgreSQL: 200 } : { SQLite: 50, PostgreSQL: 8 };

describe('both stores do what one simple model does', () => {
  eachStore((store) => {
    it('LED-1 LED-3 LED-4 LED-6 LED-7 LED-8 LED-11 LED-13 under any sequence of commands', async () => {
      const { ledger } = await store.start();
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
          const model = new Model();
          const real: Real = { ledger, project: await store.project(ledger), ids: [] };
          for (const id of ['A', 'B']) {
            model.add(id, 1, []);
            await ledger.tasks.add({ projectId: real.project, id, title: id, priority: 1 }, ann);
          }
          for (const given of steps) await same(given, model, real);
          await sameState(model, real);
        }),
        { numRuns: runs[store.name] },
      );
    });
  });
});

/** Applies the step to both, the ledger first, because it needs the model's earlier numbers. */
async function same(given: Step, model: Model, real: Real): Promise<void> {
  const got = await given.real(real, model).catch((error: unknown) => {
    if (error instanceof FermataError) return { refused: error.code };
    throw error;
  });
  const expected = attempt(() => given.model(model));
  if (isRefusal(expected) || isRefusal(got)) expect(got, given.text).toEqual(expected);
  else if (expected !== undefined) expect(got, given.text).toBe(expected);
  expect(await readyIds(real.ledger, real.project), `ready after: ${given.text}`).toEqual(model.ready());
}

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refused) return { refused: error.code };
    throw error;
  }
}

const isRefusal = (value: unknown) => typeof value === 'object' && value !== null && 'refused' in value;

async function sameState(model: Model, { ledger, project, ids }: Real): Promise<void> {
  const tasks = await ledger.tasks.list(project);
  expect(
    tasks.map(({ id, status, assignee, blockReason, priority, fence, dependsOn }) => ({
      id,
      status,
      assignee,
      blockReason,
      priority,
      fence,
      dependsOn,
    })),
  ).toEqual([...model.tasks.values()].map((task) => ({ ...task, dependsOn: [...task.dependsOn].sort() })));

  const notifications = await Promise.all(ids.map((id) => ledger.notifications.get(project, id)));
  expect(
    notifications.map((n) => ({
      task: n.sourceId,
      questions: n.questions.map((q) => q.text),
      status: n.status,
      outcome: n.outcome,
      responses: new Map(
        n.responses.map((r) => [r.questionId, r.kind === 'answered' ? r.answer : `(${r.kind})`]),
      ),
    })),
  ).toEqual(model.notifications);

  const events = await history(ledger, project);
  expect(events.map((e) => e.type)).toEqual(model.events);
  expect(events.map((e) => e.number)).toEqual(model.events.map((_, n) => n + 1));
  expect((await ledger.projects.get(project)).lastEvent).toBe(model.events.length);
  const chats = await Promise.all(['A', 'B', 'C'].map((id) => ledger.tasks.chat(project, id)));
  expect(chats.flat()).toHaveLength(model.inChat);
}
