import fc from 'fast-check';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { ResponseInput } from '../../../src/schema/notification.ts';
import { ann, coder } from '../../ledger/support/people.ts';
import type { Fence, Model } from './model.ts';

/** A real ledger, its project, and the ids of its notifications in the order in which they were asked. */
export interface Real {
  ledger: Ledger;
  project: string;
  ids: string[];
}

/** One operation on the model and on the ledger; both must return the same. */
export interface Step {
  text: string;
  model(model: Model): unknown;
  real(real: Real, model: Model): Promise<unknown>;
}

/** A and B exist from the start. */
const task = fc.constantFrom('A', 'A', 'B', 'B', 'C');
const worker = fc.constantFrom('w1', 'w2');
const fence = fc.constantFrom<Fence>('none', 'current', 'current', 'old');
const held = fc.constantFrom<Fence>('current', 'current', 'old');
const place = fc.integer({ min: 0, max: 3 });
const text = fc.constantFrom('Which?', 'Why?');
const answer = fc.constantFrom('yes', 'yes', 'no', '(skipped)', '(dismissed)');

const numberOf = (model: Model, id: string, which: Fence) => {
  const current = model.tasks.get(id)?.fence ?? 0;
  return which === 'none' ? undefined : which === 'current' ? current : current - 1;
};
const idAt = (real: Real, at: number) => real.ids[at] ?? 'n-unknown';
const lease = { leaseSeconds: 3600 };

export const step: fc.Arbitrary<Step> = fc.oneof(
  weighed(
    4,
    fc.tuple(
      task,
      fc.integer({ min: 0, max: 2 }),
      fc.uniqueArray(fc.constantFrom('A', 'B', 'C'), { maxLength: 2 }),
    ),
    ([id, priority, dependsOn]) => ({
      text: `add ${id} ${priority} after ${dependsOn}`,
      model: (m) => m.add(id, priority, dependsOn),
      real: ({ ledger, project }) =>
        ledger.tasks.add({ projectId: project, id, title: id, priority, dependsOn }, ann),
    }),
  ),
  weighed(2, fc.tuple(task, task), ([id, on]) => ({
    text: `depend ${id} on ${on}`,
    model: (m) => m.depend(id, on),
    real: ({ ledger, project }) => ledger.tasks.depend(project, id, [on], ann),
  })),
  weighed(
    5,
    fc.tuple(task, fc.array(text, { minLength: 1, maxLength: 2 }), fence),
    ([id, questions, which]) => ({
      text: `ask for ${id}: ${questions} (${which})`,
      model: (m) => m.ask(id, questions, which),
      async real({ ledger, project, ids }, m) {
        const input = {
          projectId: project,
          source: 'execute' as const,
          sourceId: id,
          questions,
          fence: numberOf(m, id, which),
        };
        const { notification } = await ledger.notifications.create(input, coder);
        if (!ids.includes(notification.id)) ids.push(notification.id);
        return ids.indexOf(notification.id);
      },
    }),
  ),
  weighed(
    6,
    fc.tuple(place, fc.dictionary(fc.constantFrom('q1', 'q2'), answer, { minKeys: 1 })),
    ([at, given]) => ({
      text: `answer ${at} ${JSON.stringify(given)}`,
      model: (m) => m.answer(at, new Map(Object.entries(given))),
      real: (real) =>
        real.ledger.notifications.resolve(
          real.project,
          idAt(real, at),
          { responses: Object.entries(given).map(responseOf) },
          ann,
        ),
    }),
  ),
  weighed(1, place, (at) => ({
    text: `dismiss ${at}`,
    model: (m) => m.dismiss(at),
    real: (real) =>
      real.ledger.notifications.resolve(real.project, idAt(real, at), { dismissed: true, reason: 'no' }, ann),
  })),
  weighed(1, place, (at) => ({
    text: `withdraw ${at}`,
    model: (m) => m.withdraw(at),
    real: (real) => real.ledger.notifications.withdraw(real.project, idAt(real, at), 'gone', coder),
  })),
  weighed(1, fc.tuple(place, place), ([at, by]) => ({
    text: `supersede ${at} by ${by}`,
    model: (m) => m.supersede(at, by),
    real: (real) => {
      const [old, other] = [real.ids[at] ?? `n-unknown${at}`, real.ids[by] ?? `n-unknown${by}`];
      return real.ledger.notifications.supersede(real.project, old, other, 'better', coder);
    },
  })),
  weighed(1, place, (at) => ({
    text: `deliver ${at}`,
    model: (m) => m.deliver(at),
    real: (real) => real.ledger.notifications.markDelivered(real.project, idAt(real, at), coder),
  })),
  weighed(2, fc.tuple(task, worker), ([id, who]) => ({
    text: `claim ${id} for ${who}`,
    model: (m) => m.claim(id, who),
    real: ({ ledger, project }) => ledger.tasks.claim(project, id, { worker: who, ...lease }, coder),
  })),
  weighed(2, worker, (who) => ({
    text: `claim the next for ${who}`,
    model: (m) => m.claimNext(who),
    real: async ({ ledger, project }) =>
      (await ledger.tasks.claimNext(project, { worker: who, ...lease }, coder))?.id,
  })),
  weighed(1, fc.tuple(task, held), ([id, which]) => ({
    text: `heartbeat ${id} (${which})`,
    model: (m) => m.heartbeat(id, which),
    real: ({ ledger, project }, m) =>
      ledger.tasks.heartbeat(project, id, numberOf(m, id, which) ?? 0, 3600, coder),
  })),
  weighed(1, fc.tuple(task, held), ([id, which]) => ({
    text: `release ${id} (${which})`,
    model: (m) => m.release(id, which),
    real: ({ ledger, project }, m) => ledger.tasks.release(project, id, numberOf(m, id, which) ?? 0, coder),
  })),
  weighed(1, fc.tuple(task, fence), ([id, which]) => ({
    text: `block ${id} (${which})`,
    model: (m) => m.block(id, which),
    real: ({ ledger, project }, m) => ledger.tasks.block(project, id, 'Legal', coder, numberOf(m, id, which)),
  })),
  weighed(1, task, (id) => ({
    text: `unblock ${id}`,
    model: (m) => m.unblock(id),
    real: ({ ledger, project }) => ledger.tasks.unblock(project, id, ann),
  })),
  weighed(2, fc.tuple(task, fence), ([id, which]) => ({
    text: `close ${id} (${which})`,
    model: (m) => m.close(id, which),
    real: ({ ledger, project }, m) => ledger.tasks.close(project, id, coder, numberOf(m, id, which)),
  })),
  weighed(1, task, (id) => ({
    text: `reopen ${id}`,
    model: (m) => m.reopen(id),
    real: ({ ledger, project }) => ledger.tasks.reopen(project, id, ann),
  })),
);

/** A step that prints as its text, so that a failure reads as a story. */
function weighed<T>(weight: number, given: fc.Arbitrary<T>, make: (value: T) => Step) {
  const arbitrary = given.map((value): Step => {
    const made = make(value);
    return Object.assign(made, { [fc.toStringMethod]: () => made.text });
  });
  return { weight, arbitrary };
}

function responseOf([questionId, said]: [string, string]): ResponseInput {
  if (said === '(skipped)') return { questionId, skipped: true };
  if (said === '(dismissed)') return { questionId, dismissed: true, reason: 'no' };
  return { questionId, answer: said };
}
