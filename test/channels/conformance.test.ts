import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadSettings } from '../../src/config/settings.ts';
import { openLedger } from '../../src/index.ts';
import type { By } from '../../src/schema/actor.ts';
import type { Notification } from '../../src/schema/notification.ts';
import { freshFolder, startFermata } from '../support/fermata.ts';
import { freshDatabase } from '../support/fresh-database.ts';
import { isLong } from '../support/long.ts';
import { longTest } from '../support/long-test.ts';
import { channels, type Place } from './support/channels.ts';

let places = 0;

/** Each test has its own project, and its own ledger if no database is given. */
function place(database: string | undefined): Place {
  const cwd = freshFolder();
  const home = join(cwd, '..', 'home');
  return {
    cwd,
    env: {
      FERMATA_HOME: home,
      FERMATA_PROJECT: `conformance-${++places}`,
      FERMATA_STORE: database ?? join(home, 'ledger.db'),
    },
  };
}

/** `fermata ask` in its own process, and the question as the ledger has it. */
async function ask(at: Place) {
  const asker = startFermata(['ask', 'Which database?', '-o', 'PostgreSQL', '-o', 'SQLite'], at);
  asker.child.stdin?.end();
  const { id: projectId } = loadSettings(at.cwd, at.env).project.value;
  const ledger = await openLedger(at.env.FERMATA_STORE ?? '');
  try {
    for (;;) {
      const [notification] = (await ledger.notifications.list({ projectId })).notifications;
      if (notification) return { asker, notification };
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    await ledger.close();
  }
}

/** The same question from an asker in this process, for tests that are not about the asker. */
async function askHere(at: Place): Promise<Notification> {
  const ledger = await openLedger(at.env.FERMATA_STORE ?? '');
  try {
    const project = await ledger.projects.ensure(loadSettings(at.cwd, at.env).project.value);
    const questions = [{ text: 'Which database?', options: ['PostgreSQL', 'SQLite'] }];
    const asked = { projectId: project.id, source: 'execute' as const, sourceId: 'ask-1', questions };
    const by: By = { actor: { kind: 'agent', name: 'coder' }, channel: 'agent' };
    return (await ledger.notifications.create(asked, by)).notification;
  } finally {
    await ledger.close();
  }
}

async function stored(at: Place, { projectId, id }: Notification): Promise<Notification> {
  const ledger = await openLedger(at.env.FERMATA_STORE ?? '');
  try {
    return await ledger.notifications.get(projectId, id);
  } finally {
    await ledger.close();
  }
}

describe.each(['sqlite', 'postgres'])('on %s', (store) => {
  // Shared by all tests, because creating it takes longer than a test.
  let database: string | undefined;
  beforeAll(async () => {
    if (store === 'postgres') database = await freshDatabase();
  });

  describe.each(channels)('CHAN-2 $name', (channel) => {
    // All pairs are in test/long. Here each comes after its neighbour, on one store.
    const neighbour = channels.at(channels.indexOf(channel) - 1) ?? channel;
    const firsts = isLong ? channels : store === 'sqlite' ? [neighbour] : [];
    /** For what is the same on every store. */
    const once = store === 'sqlite' ? test : longTest;
    /** An asker reads what the ledger has, whichever channel stored it: in npm test, the first channel has a real one. */
    const someAsker = async (at: Place) =>
      isLong || channel === channels[0] ? ask(at) : { asker: undefined, notification: await askHere(at) };

    test('answers a question: the asker continues with exactly that answer, and the ledger records who and where', async () => {
      const at = place(database);
      const { asker, notification } = await ask(at);
      const given = await channel.answer(at, notification.id, 'sqlite', 'ann');
      expect(given).toMatchObject({ accepted: true });
      expect(await asker.ended).toMatchObject({ code: 0, stdout: 'SQLite\n' });
      expect(await stored(at, notification)).toMatchObject({
        status: 'delivered',
        outcome: 'answered',
        resolvedBy: { actor: { kind: 'person', name: 'ann' }, channel: channel.channel },
        responses: [{ questionId: 'q1', answer: 'SQLite' }],
      });
    });

    once('accepts free text that is not an option', async () => {
      const at = place(database);
      const { asker, notification } = await someAsker(at);
      expect(await channel.answer(at, notification.id, 'DuckDB – für alle', 'ann')).toMatchObject({
        accepted: true,
      });
      expect(await stored(at, notification)).toMatchObject({
        outcome: 'answered',
        responses: [{ questionId: 'q1', answer: 'DuckDB – für alle' }],
      });
      if (asker) expect(await asker.ended).toMatchObject({ code: 0, stdout: 'DuckDB – für alle\n' });
    });

    once('skips: the asker learns that there is no answer', async () => {
      const at = place(database);
      const { asker, notification } = await someAsker(at);
      expect(await channel.answer(at, notification.id, 'Skip', 'ann')).toMatchObject({ accepted: true });
      if (asker) expect(await asker.ended).toMatchObject({ code: 1, stdout: '' });
      expect(await stored(at, notification)).toMatchObject({ outcome: 'skipped' });
    });

    test.each(firsts)(
      'was second after $name: the same answer is a repeat, another one is refused and names the winner',
      async (first) => {
        const at = place(database);
        const notification = await askHere(at);
        expect(await first.answer(at, notification.id, 'PostgreSQL', 'ann')).toMatchObject({
          accepted: true,
        });
        const again = await channel.answer(at, notification.id, 'PostgreSQL', 'bob');
        expect(again).toMatchObject({ accepted: true });
        const other = await channel.answer(at, notification.id, 'SQLite', 'bob');
        expect(other.accepted).toBe(false);
        expect(other.said).toMatch(/ann/);
        expect(other.said).toMatch(/PostgreSQL/);
        expect(other.said).toMatch(/\d{4}-\d\d-\d\dT/);
        expect(await stored(at, notification)).toMatchObject({
          resolvedBy: { actor: { name: 'ann' } },
          responses: [{ answer: 'PostgreSQL' }],
        });
      },
    );
  });
});
