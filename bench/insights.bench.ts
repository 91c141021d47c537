// `npm run bench -- insights`: what questions cost, in a ledger of 1,000,000 events, on both stores.
import { openLedger } from '../src/ledger/ledger.ts';
import { onBothStores } from './support/both-stores.ts';
import { type Figure, size } from './support/budget.ts';
import { fill } from './support/fill.ts';
import { timed } from './support/measure.ts';

const EVENTS = size(1_000_000, 1000);
/** Each has at least three events of its own; tasks and runs have the rest. */
const QUESTIONS = EVENTS / 5;

await onBothStores(async (_name, place): Promise<Figure[]> => {
  const ledger = await openLedger(place, {});
  try {
    for (const id of ['busy', 'quiet']) await ledger.projects.ensure({ id, name: id, root: null });
    await fill(place, async ({ answered, decisions, events }) => {
      await answered('busy', QUESTIONS);
      await decisions('busy', QUESTIONS);
      await events('busy', EVENTS);
    });
    const month = Date.now() - 30 * 86_400_000;
    const budget = { unit: 'ms', atMost: 2000, onEveryStore: true };
    const read = (which: { since: number; projectId?: string }) =>
      timed(() => ledger.figures.insights(which), { rounds: 1, calls: 3 });
    return [
      {
        what: `insights of all ${QUESTIONS.toLocaleString('en')} questions ever asked`,
        value: await read({ since: 0 }),
        ...budget,
      },
      { what: 'insights of 30 days', value: await read({ since: month }), ...budget },
      {
        what: 'insights of 30 days of one project',
        value: await read({ since: month, projectId: 'busy' }),
        ...budget,
      },
      {
        what: 'insights of an idle project',
        value: await read({ since: month, projectId: 'quiet' }),
        ...budget,
      },
    ];
  } finally {
    await ledger.close();
  }
});
