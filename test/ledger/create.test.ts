import { describe, expect, it } from 'vitest';
import { Source } from '../../src/schema/notification.ts';
import { ask, askFor, eventTypes, fails, history, lastEvent, ofType, refusal } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

describe('asking', () => {
  eachStore((store) => {
    it('LED-1 a notification is a row in open_questions, with its event', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project, { source: 'eval', sourceId: 'feedback-7' });
      const rows = await store.sql('select source, source_id, status from open_questions where id = ?', id);
      expect(rows).toEqual([{ source: 'eval', source_id: 'feedback-7', status: 'open' }]);
      const [event] = ofType(await history(ledger, project), 'notification.added');
      expect(event).toMatchObject({ number: 1, type: 'notification.added', by: coder });
      expect(event?.data.notification).toEqual(await ledger.notifications.get(project, id));
    });

    it('LED-1 row and event are one transaction: if the event cannot be stored, there is no row', async () => {
      const { ledger, project } = await store.start();
      const attempt = () => ask(ledger, project);
      await store.whileFailing('events', 'insert', () => fails(attempt()));
      expect(await store.sql('select id from open_questions where project_id = ?', project)).toEqual([]);
      await attempt();
      expect(await eventTypes(ledger, project)).toEqual(['notification.added']);
    });

    it('LED-1 row and event are one transaction: if the row cannot be stored, there is no event', async () => {
      const { ledger, project } = await store.start();
      await store.whileFailing('open_questions', 'insert', () => fails(ask(ledger, project)));
      expect(await history(ledger, project)).toEqual([]);
      expect(await lastEvent(ledger, project)).toBe(0);
    });

    it.each(Source.options)('LED-1 %s is a source of questions', async (source) => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project, { source });
      expect(await ledger.notifications.get(project, id)).toMatchObject({ source, status: 'open' });
    });

    it('LED-1 an unknown source is refused, and nothing is stored', async () => {
      const { ledger, project } = await store.start();
      const error = await refusal(ask(ledger, project, { source: 'rumour' as 'plan' }));
      expect(error).toMatchObject({ code: 'invalid', message: expect.stringContaining('source') });
      expect(await history(ledger, project)).toEqual([]);
    });

    it('LED-1 a project that nobody registered is not found', async () => {
      const ledger = await store.open();
      expect(await refusal(ask(ledger, 'nowhere'))).toMatchObject({ code: 'not_found' });
    });

    it('LED-2 create returns what it stored', async () => {
      const { ledger, project } = await store.start();
      const full = {
        id: 'q1',
        text: 'Which database?',
        createdAt: '2026-01-02T03:04:05Z',
        header: 'Database',
        options: [
          {
            id: 'a',
            label: 'PostgreSQL',
            description: 'Pro: many writers. Con: a server.',
            preview: 'docker run',
          },
          { id: 'b', label: 'SQLite', description: 'Pro: one file. Con: one writer.' },
        ],
        multi: true,
        recommended: ['PostgreSQL'],
        context: 'The plan has five workers.',
        category: 'architecture',
      };
      const created = await ask(ledger, project, { questions: [full] });
      expect(created.questions).toEqual([full]);
      expect(await ledger.notifications.get(project, created.id)).toEqual(created);
    });

    it('LED-2 entries without text are dropped and reported, and the others are asked', async () => {
      const { ledger, project } = await store.start();
      const input = {
        projectId: project,
        source: 'plan' as const,
        sourceId: 'p',
        questions: [{ id: 'a' }, 'Why?', 7],
      };
      const { notification, dropped } = await ledger.notifications.create(input, coder);
      expect(notification.questions.map((q) => q.text)).toEqual(['Why?']);
      expect(dropped).toEqual([
        { reason: 'no text', value: { id: 'a' } },
        { reason: expect.stringContaining('not a question'), value: 7 },
      ]);
    });

    it('LED-2 a secret in a question is not stored', async () => {
      const ledger = await store.open({ DEPLOY_TOKEN: 'correct-horse-battery' });
      const project = await store.project(ledger);
      const key = `sk-ant-${'x'.repeat(40)}`;
      await ask(ledger, project, { questions: [`Use ${key}?`, 'Is correct-horse-battery right?'] });
      const [row] = await store.sql<{ questions: string }>(
        'select questions from open_questions where project_id = ?',
        project,
      );
      expect(row?.questions).not.toMatch(/sk-ant|battery/);
      expect(JSON.stringify(await history(ledger, project))).not.toMatch(/sk-ant|battery/);
    });

    it('LED-5 the resume recipe survives the end of every process, and an answer leads back to it', async () => {
      const { ledger, project } = await store.start();
      const resume = {
        agent: 'claude',
        sessionId: 's-1',
        toolCallId: 'toolu_1',
        cwd: '/srv/app',
        task: 'T1',
        step: 'plan/approve',
      };
      const { id } = await ask(ledger, project, { resume });
      await ledger.close();
      const later = await store.open();
      await later.notifications.resolve(project, id, { dismissed: true, reason: 'no longer needed' }, ann);
      const [undelivered] = await later.notifications.undelivered(project, 'plan', 'plan-1');
      expect(undelivered).toMatchObject({ id, resume, outcome: 'declined', reason: 'no longer needed' });
    });

    it('LED-5 an asker that comes back after a crash finds its open question instead of asking twice', async () => {
      const { ledger, project } = await store.start();
      const first = await askFor(ledger, project, 'T1');
      const again = await ledger.notifications.create(
        { projectId: project, source: 'execute', sourceId: 'T1', questions: ['Which database?'] },
        coder,
      );
      expect(again).toMatchObject({ existing: true, notification: { id: first.id } });
      expect(await eventTypes(ledger, project)).toEqual(['notification.added']);
    });

    it('LED-5 the same words from another asker are another question', async () => {
      const { ledger, project } = await store.start();
      const one = await askFor(ledger, project, 'T1');
      const two = await askFor(ledger, project, 'T2');
      expect(two.id).not.toBe(one.id);
    });
  });
});
