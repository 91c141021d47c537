import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Notification } from '../../src/schema/notification.ts';
import type { NotificationFilter } from '../../src/schema/notification-filter.ts';
import { longTest } from '../support/long-test.ts';
import { answers, ask, refusal } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

/** Asks one after the other, so that each has its own time or at least its own order. */
async function several(ledger: Ledger, project: string, count: number): Promise<Notification[]> {
  const asked: Notification[] = [];
  for (let n = 0; n < count; n++) asked.push(await ask(ledger, project, { sourceId: `s${n}` }));
  return asked.sort((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1));
}

async function everyPage(ledger: Ledger, projectId: string, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  let after: string | undefined;
  do {
    const page = await ledger.notifications.list({ projectId, limit, after });
    pages.push(page.notifications.map((n) => n.id));
    after = page.next;
  } while (after !== undefined);
  return pages;
}

describe('the inbox', () => {
  eachStore((store) => {
    it('LED-1 lists what is open, oldest first, page by page, each once', async () => {
      const { ledger, project } = await store.start();
      const asked = (await several(ledger, project, 7)).map((n) => n.id);
      expect(await everyPage(ledger, project, 3)).toEqual([
        asked.slice(0, 3),
        asked.slice(3, 6),
        asked.slice(6),
      ]);
      expect(await everyPage(ledger, project, 7)).toEqual([asked]);
      expect(await ledger.notifications.count(['open'], project)).toBe(7);
    });

    it('LED-1 skips no question that is asked while somebody pages through it', async () => {
      const { ledger, project } = await store.start();
      const asked = (await several(ledger, project, 4)).map((n) => n.id);
      const first = await ledger.notifications.list({ projectId: project, limit: 2 });
      const late = await ask(ledger, project, { sourceId: 'late' });
      const rest = await ledger.notifications.list({ projectId: project, after: first.next });
      const seen = [...first.notifications, ...rest.notifications].map((n) => n.id);
      expect(seen).toHaveLength(5);
      expect(new Set(seen)).toEqual(new Set([...asked, late.id]));
    });

    it('LED-1 shows the states that were asked for', async () => {
      const { ledger, project } = await store.start();
      const [one, two, three] = await several(ledger, project, 3);
      await ledger.notifications.resolve(project, one?.id ?? '', answers({ q1: 'x' }), ann);
      await ledger.notifications.withdraw(project, two?.id ?? '', 'done', ann);
      const list = async (...status: Notification['status'][]) =>
        (await ledger.notifications.list({ projectId: project, status })).notifications.map((n) => n.id);
      expect(await list('open')).toEqual([three?.id]);
      expect(await list('answered', 'withdrawn')).toEqual([one?.id, two?.id]);
      expect(await list('declined')).toEqual([]);
      expect(await list()).toEqual([]);
      expect(await ledger.notifications.count(['answered'], project)).toBe(1);
    });

    it('LED-1 of all projects lists the questions of all projects', async () => {
      const { ledger, project } = await store.start();
      const second = await store.project(ledger);
      const ids = [(await ask(ledger, project)).id, (await ask(ledger, second)).id];
      const { notifications } = await ledger.notifications.list({ limit: 1000 });
      expect(notifications.map((n) => n.id)).toEqual(expect.arrayContaining(ids));
      expect(await ledger.notifications.count(['open'])).toBeGreaterThanOrEqual(2);
    });

    it.each([Number.NaN, 0, -5, 1.5])(
      'LED-1 a page size of %s still returns at least one and never all',
      async (limit) => {
        const { ledger, project } = await store.start();
        await several(ledger, project, 3);
        const { notifications } = await ledger.notifications.list({ projectId: project, limit });
        expect(notifications.length).toBe(Number.isNaN(limit) || limit === 0 ? 3 : 1);
      },
    );

    longTest(
      'LED-1 is searched by words and by kind; a page ends where one pass ended, and nothing is left out',
      async () => {
        const { ledger, project } = await store.start();
        const many = Array.from({ length: 1205 }, (_, n) =>
          ask(ledger, project, { sourceId: `many-${n}` }, ann),
        );
        await Promise.all(many);
        const options = [{ label: 'Über Nacht' }];
        const gate = { kind: 'testing' as const, plan: 'p', round: 1, file: 'f' };
        const late = await ask(ledger, project, {
          ...{ source: 'gate' as const, sourceId: 'late', gate },
          questions: [{ id: 'q1', text: 'When is it "done"?', options }],
        });
        const first = await ledger.notifications.list({ projectId: project, text: 'über nacht' });
        expect(first.notifications).toEqual([]);
        const rest = await ledger.notifications.list({
          projectId: project,
          text: 'über nacht',
          after: first.next,
        });
        expect(rest).toEqual({ notifications: [expect.objectContaining({ id: late.id })] });
        const find = async (filter: NotificationFilter) => {
          const found: string[] = [];
          let after: string | undefined;
          do {
            const page = await ledger.notifications.list({
              projectId: project,
              ...filter,
              after,
              limit: 400,
            });
            expect(page.notifications.length).toBeLessThanOrEqual(400);
            found.push(...page.notifications.map((n) => n.id));
            after = page.next;
          } while (after !== undefined);
          expect(new Set(found).size).toBe(found.length);
          return found;
        };
        expect(await find({ text: '"DONE" when' })).toEqual([late.id]);
        expect(await find({ text: 'testing GATE' })).toEqual([late.id]);
        expect(await find({ kind: 'testing_gate' })).toEqual([late.id]);
        expect(await find({ text: 'database done' })).toEqual([]);
        expect(await find({ text: 'database' })).toHaveLength(1205);
        expect(await find({ text: 'questions' })).toEqual([]);
        const [{ name } = { name: '' }] = (await ledger.projects.list()).filter(({ id }) => id === project);
        expect(await find({ text: name })).toHaveLength(1206);
      },
    );

    it('LED-1 refuses an invented cursor', async () => {
      const { ledger } = await store.start();
      expect(await refusal(ledger.notifications.list({ after: 'page 2' }))).toMatchObject({
        code: 'invalid',
        message: '"page 2" is not a valid cursor. Use "next" from the previous page.',
      });
    });

    it('LED-4 a question is found by the beginning of its id, and by a whole id only that one', async () => {
      const { ledger, project } = await store.start();
      const [one, two] = await several(ledger, project, 2);
      expect((await ledger.notifications.find(one?.id ?? '')).id).toBe(one?.id);
      const beginning = (two?.id ?? '').slice(0, -2);
      expect((await ledger.notifications.find(beginning)).id).toBe(two?.id);
      expect(await refusal(ledger.notifications.find('n-'))).toMatchObject({
        code: 'invalid',
        message: expect.stringMatching(/^"n-" matches several ids \(n-.*\)\. Type more of it\.$/),
      });
      expect(await refusal(ledger.notifications.find('n-zzzzzzzzzzzz'))).toMatchObject({ code: 'not_found' });
    });

    it('LED-5 an asker gets an undelivered answer once', async () => {
      const { ledger, project } = await store.start();
      const [one, two] = [await ask(ledger, project), await ask(ledger, project, { questions: ['Other?'] })];
      await ask(ledger, project, { sourceId: 'another' });
      await ledger.notifications.resolve(project, one.id, answers({ q1: 'x' }), ann);
      const waiting = () => ledger.notifications.undelivered(project, 'plan', 'plan-1');
      expect((await waiting()).map((n) => n.id)).toEqual([one.id]);
      await ledger.notifications.withdraw(project, two.id, 'not needed', ann);
      expect((await waiting()).map((n) => n.id)).toEqual([one.id]);
      await ledger.notifications.markDelivered(project, one.id, coder);
      expect(await waiting()).toEqual([]);
    });

    it('LED-5 an asker that died while it waited gets the answer given meanwhile', async () => {
      const { ledger, project } = await store.start();
      const asked = await ask(ledger, project);
      await ledger.notifications.resolve(project, asked.id, answers({ q1: 'x' }), ann);
      const input = {
        projectId: project,
        source: 'plan' as const,
        sourceId: 'plan-1',
        questions: ['Which database?'],
      };
      const again = await ledger.notifications.create({ ...input, takeUp: true }, coder);
      expect(again).toMatchObject({ existing: true, notification: { id: asked.id, status: 'answered' } });
      const fresh = await ledger.notifications.create(input, coder);
      expect(fresh).toMatchObject({ existing: false, notification: { status: 'open' } });
      await ledger.notifications.withdraw(project, fresh.notification.id, 'again', coder);
      await ledger.notifications.markDelivered(project, asked.id, coder);
      const third = await ledger.notifications.create({ ...input, takeUp: true }, coder);
      expect(third).toMatchObject({ existing: false, notification: { status: 'open' } });
    });
  });
});
