import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { CreateInput } from '../../src/schema/notification.ts';
import { answers, history, ofType } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const claim = { worker: 'w', leaseSeconds: 60 };

describe('an agent that is started again after a crash', () => {
  eachStore((store) => {
    async function start() {
      const { ledger, project } = await store.start();
      const { id } = await ledger.tasks.add({ projectId: project, title: 'Build it' }, ann);
      return { ledger, project, task: id };
    }
    type Place = Awaited<ReturnType<typeof start>>;

    const ask = ({ ledger, project, task }: Place, life: string | undefined, given = {}) => {
      const input: CreateInput = {
        projectId: project,
        source: 'execute',
        sourceId: task,
        questions: ['Which database?'],
        resume: { agent: 'command', task },
        ...(life ? { life } : {}),
        ...given,
      };
      return ledger.notifications.create(input, coder);
    };

    /** A question of this life that Ann answers and that is delivered to the agent. */
    async function heard(at: Place, life: string, answer: string, given = {}): Promise<string> {
      const { notification } = await ask(at, life, given);
      expect(notification.status).toBe('open');
      await at.ledger.notifications.resolve(at.project, notification.id, answers({ q1: answer }), ann);
      await at.ledger.notifications.markDelivered(at.project, notification.id, coder);
      await sleep(2); // the store's clock counts milliseconds
      return notification.id;
    }

    const replays = async (ledger: Ledger, project: string) =>
      ofType(await history(ledger, project), 'notification.updated')
        .filter(({ data }) => data.replayed)
        .map(({ data }) => data.id);

    it('gets each recorded answer once, in order, on record as replayed; then a person is asked (BIND-3)', async () => {
      const at = await start();
      const first = await heard(at, 'life-1', 'SQLite');
      const second = await heard(at, 'life-1', 'PostgreSQL');
      for (const life of ['life-2', 'life-3']) {
        const given = [await ask(at, life), await ask(at, life)];
        expect(given.map(({ notification }) => notification.id)).toEqual([first, second]);
        expect(given.map(({ notification }) => notification.responses)).toMatchObject([
          [{ answer: 'SQLite' }],
          [{ answer: 'PostgreSQL' }],
        ]);
      }
      expect(await replays(at.ledger, at.project)).toEqual([first, second, first, second]);
      expect((await ask(at, 'life-3')).notification.status).toBe('open');
      expect(await at.ledger.decisions.list(at.project)).toHaveLength(2);
    });

    it('gets the amended answer, not the one that it replaces (BIND-3, BIND-5)', async () => {
      const at = await start();
      const id = await heard(at, 'life-1', 'SQLite');
      const responses = [{ questionId: 'q1', answer: 'DuckDB' }];
      await at.ledger.notifications.amend(at.project, id, { responses }, ann);
      const { notification } = await ask(at, 'life-2');
      expect(notification).toMatchObject({ id, status: 'answered', responses: [{ answer: 'DuckDB' }] });
    });

    it('waits for what its predecessor left open (BIND-3)', async () => {
      const at = await start();
      const { notification } = await ask(at, 'life-1');
      expect((await ask(at, 'life-2')).notification.id).toBe(notification.id);
    });

    it.each([
      ['in the same life', { life: 'life-1' }],
      ['for another task', { sourceId: 'other' }],
      ['with other options', { questions: [{ text: 'Which database?', options: ['A', 'B'] }] }],
      ['with --again', { again: true }],
      ['without a life', { life: undefined }],
    ])('makes Fermata ask a person if it asks %s (BIND-3)', async (_, given) => {
      const at = await start();
      await heard(at, 'life-1', 'SQLite');
      expect((await ask(at, 'life-2', given)).notification.status).toBe('open');
    });

    it('gets the answers of its task also after it was closed and reopened, but no permission (BIND-3, REDO-1)', async () => {
      const at = await start();
      const permission = { source: 'approval', questions: [{ text: 'May the agent use Bash?' }] };
      const id = await heard(at, 'life-1', 'SQLite');
      await heard(at, 'life-1', 'Approve', permission);
      await at.ledger.tasks.close(at.project, at.task, ann);
      await at.ledger.tasks.reopen(at.project, at.task, ann);
      expect((await ask(at, 'life-2')).notification).toMatchObject({ id, responses: [{ answer: 'SQLite' }] });
      expect(await replays(at.ledger, at.project)).toEqual([id]);
      expect((await ask(at, 'life-2', permission)).notification.status).toBe('open');
    });

    it.for(['the task of its run was closed', 'its run is for another task'] as const)(
      'makes Fermata ask a person if %s, whatever the asker is called (BIND-3)',
      async (what) => {
        const at = await start();
        const { ledger, project, task } = at;
        const asker = { projectId: project, source: 'plan' as const, sourceId: 'an-idea' };
        const runFor = async (taskId: string) => {
          const input = { ...asker, taskId, agent: 'command', cwd: '/', data: { for: 'other' as const } };
          const run = await ledger.runs.start(input, claim, coder);
          return { ...asker, resume: { agent: 'command', run: run.id } };
        };
        await heard(at, 'life-1', 'SQLite', await runFor(task));
        const again = await heard(at, 'life-1', 'PostgreSQL', await runFor(task));
        expect((await ask(at, 'life-2', await runFor(task))).notification.responses).toMatchObject([
          { answer: 'SQLite' },
        ]);
        const other = await ledger.tasks.add({ projectId: project, title: 'Another' }, ann);
        if (what === 'the task of its run was closed') {
          await ledger.tasks.close(project, task, ann);
          await ledger.tasks.reopen(project, task, ann);
        }
        const next = await runFor(what === 'its run is for another task' ? other.id : task);
        const { notification } = await ask(at, 'life-2', next);
        expect(notification).toMatchObject({
          status: 'open',
          questions: [{ earlier: { answer: 'PostgreSQL' } }],
        });
        expect(notification.id).not.toBe(again);
      },
    );

    it('gets a permission only for the very same input, secrets included (BIND-3)', async () => {
      const at = await start();
      const permission = (token: string) => ({
        source: 'approval',
        questions: [{ text: 'May the agent use Bash?', context: `curl -H "Authorization: Bearer ${token}"` }],
      });
      const one = permission('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.aaaaaaaaaaaaaaaaaaaa');
      const other = permission('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.bbbbbbbbbbbbbbbbbbbb');
      const id = await heard(at, 'life-1', 'Approve', one);
      expect((await ask(at, 'life-2', other)).notification.status).toBe('open');
      expect((await ask(at, 'life-2', one)).notification).toMatchObject({ id, status: 'delivered' });
      expect((await ask(at, 'life-2', one)).notification.status).toBe('open');
    });

    it('gets no permission from a run that has ended (BIND-3)', async () => {
      const at = await start();
      const { ledger, project, task } = at;
      const permission = { source: 'approval', questions: [{ text: 'May the agent use Bash?' }] };
      const input = { projectId: project, agent: 'command', source: 'execute' as const, sourceId: task };
      const run = await ledger.runs.start({ ...input, cwd: '/', data: { for: 'other' } }, claim, coder);
      await heard(at, 'life-1', 'Approve', permission);
      await ledger.runs.end(run, { reason: 'ok', message: '' }, '', coder);
      expect((await ask(at, 'life-2', permission)).notification.status).toBe('open');
    });
  });
});

describe('a question with a key', () => {
  eachStore((store) => {
    it('has one answer for its asker, even after delivery and amendment, until --again (BIND-3)', async () => {
      const { ledger, project } = await store.start();
      const ask = async (given: Partial<CreateInput> = {}) => {
        const asked = { projectId: project, source: 'execute' as const, sourceId: 't1', key: 'database' };
        const input = { ...asked, questions: ['Which database?'], ...given };
        return (await ledger.notifications.create(input, coder)).notification;
      };
      const { id } = await ask();
      await ledger.notifications.resolve(project, id, answers({ q1: 'SQLite' }), ann);
      await ledger.notifications.markDelivered(project, id, coder);
      expect(await ask()).toMatchObject({ id, status: 'delivered', responses: [{ answer: 'SQLite' }] });
      expect(await ask()).toMatchObject({ id });
      const amended = { responses: [{ questionId: 'q1', answer: 'DuckDB' }] };
      await ledger.notifications.amend(project, id, amended, ann);
      expect(await ask()).toMatchObject({ id, responses: [{ answer: 'DuckDB' }] });
      for (const other of [{ key: 'other' }, { sourceId: 't2' }, { questions: ['Which cache?'] }]) {
        expect((await ask(other)).id).not.toBe(id);
      }
      const again = await ask({ again: true });
      expect(again).toMatchObject({ status: 'open' });
      await ledger.notifications.resolve(project, again.id, answers({ q1: 'MySQL' }), ann);
      expect(await ask()).toMatchObject({ id: again.id, responses: [{ answer: 'MySQL' }] });
    });
  });
});
