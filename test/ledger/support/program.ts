/** A process of its own over the ledger: `program COMMAND STORE`, one line of JSON as its result. */
import { DatabaseSync } from '@photostructure/sqlite';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { FermataError } from '../../../src/schema/error.ts';
import { ann, coder } from './people.ts';

const project = 'p';

const commands: Record<string, (store: string) => Promise<unknown>> = {
  async open(store) {
    await (await openLedger(store, {})).close();
    return 'opened';
  },

  async ask(store) {
    const ledger = await openLedger(store, {});
    try {
      await ledger.projects.ensure({ id: project, name: project, root: null });
      const input = {
        projectId: project,
        source: 'plan' as const,
        sourceId: 'plan-1',
        questions: ['Which database?'],
      };
      return (await ledger.notifications.create(input, coder)).notification.id;
    } finally {
      await ledger.close();
    }
  },

  async answer(store) {
    const ledger = await openLedger(store, {});
    try {
      const [open] = (await ledger.notifications.list({ projectId: project })).notifications;
      const input = { responses: [{ questionId: 'q1', answer: 'SQLite' }] };
      return (await ledger.notifications.resolve(project, open?.id ?? '', input, ann)).notification.status;
    } finally {
      await ledger.close();
    }
  },

  async 'open-questions'(store) {
    const ledger = await openLedger(store, {});
    try {
      return await ledger.notifications.count(['open']);
    } finally {
      await ledger.close();
    }
  },

  /** Holds the file for writing until stdin ends. */
  async hold(store) {
    const connection = new DatabaseSync(store);
    connection.exec('pragma busy_timeout = 5000; begin immediate');
    process.stdout.write('"held"\n');
    await new Promise((resolve) => process.stdin.resume().once('end', resolve));
    connection.exec('commit');
    connection.close();
    return 'let go';
  },
};

async function main(): Promise<void> {
  const [name = '', store = ''] = process.argv.slice(2);
  const command = commands[name];
  if (!command) throw new Error(`no command ${name}`);
  try {
    process.stdout.write(`${JSON.stringify(await command(store))}\n`);
  } catch (error) {
    if (!(error instanceof FermataError)) throw error;
    process.stdout.write(`${JSON.stringify({ code: error.code, message: error.message })}\n`);
  }
}

void main();
