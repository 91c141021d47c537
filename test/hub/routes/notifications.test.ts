import { describe, expect, it } from 'vitest';
import { ann } from '../../ledger/support/people.ts';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { question, startHubOn } from '../support/start.ts';

eachStoreInLong((store) => {
  describe('notifications (HUB-1)', () => {
    it('are asked, listed in pages, read, answered and withdrawn', async () => {
      const { hub, at, project } = await startHubOn(store);
      const ids: string[] = [];
      for (const sourceId of ['a', 'b', 'c']) {
        const { status, body } = await hub.call('POST', `${at}/notifications`, { ...question, sourceId });
        expect(status).toBe(201);
        ids.push(body.data.id);
      }
      const first = (await hub.get(`${at}/notifications?limit=2`)).body;
      expect(first.data).toHaveLength(2);
      const rest = (await hub.get(`${at}/notifications?limit=2&after=${encodeURIComponent(first.next)}`))
        .body;
      expect(rest).toEqual({ data: [expect.objectContaining({ projectId: project })] });
      expect([...first.data, ...rest.data].map(({ id }) => id).sort()).toEqual([...ids].sort());

      const path = `${at}/notifications/${ids[0]}`;
      const gone = await hub.call('DELETE', `${path}?reason=${encodeURIComponent('The plan changed.')}`);
      expect(gone.body.data).toMatchObject({ status: 'withdrawn', reason: 'The plan changed.' });
      expect((await hub.call('DELETE', path)).status).toBe(200);
      const late = await hub.call('PATCH', path, { responses: [{ questionId: 'q1', answer: 'x' }] });
      expect(late).toMatchObject({ status: 410, body: { error: { code: 'gone' } } });
      expect((await hub.get(`${at}/notifications?status=withdrawn,open`)).body.data).toHaveLength(3);
      expect((await hub.get(`${at}/notifications?status=all`)).body.data).toHaveLength(3);
    });

    it('are searched by words and by kind of asker, in one project or in all', async () => {
      const { hub, at, project } = await startHubOn(store);
      await hub.call('POST', `${at}/notifications`, question);
      const gap = { source: 'gap', sourceId: '142', questions: [{ id: 'q1', text: 'Who may *edit* 50 %?' }] };
      await hub.call('POST', `${at}/notifications`, gap);
      const find = async (query: string) => {
        const { body } = await hub.get(`${at}/notifications?${query}`);
        return body.data.map(({ source }: { source: string }) => source);
      };
      expect(await find('text=EDIT')).toEqual(['gap']);
      expect(await find(`text=${encodeURIComponent('50 % who')}`)).toEqual(['gap']);
      expect(await find('text=_')).toEqual([]);
      expect(await find('text=')).toEqual(['plan', 'gap']);
      expect(await find('kind=plan')).toEqual(['plan']);
      expect(await find('kind=plan&text=edit')).toEqual([]);
      const everywhere = await hub.get('/api/v1/notifications?text=database&limit=1000');
      expect(everywhere.body.data).toContainEqual(expect.objectContaining({ projectId: project }));
      expect((await hub.get(`${at}/notifications?kind=nonsense`)).status).toBe(400);
      expect((await hub.get(`${at}/notifications?text=${'x'.repeat(201)}`)).status).toBe(400);
    });

    it('that need several pages are all listed, each once, and can be counted without listing them', async () => {
      const { ledger, project, hub, at } = await startHubOn(store);
      const asked = Array.from({ length: 1010 }, (_, n) =>
        ledger.notifications.create(
          { projectId: project, source: 'plan', sourceId: `s${n}`, questions: [`Which for ${n}?`] },
          ann,
        ),
      );
      const ids = (await Promise.all(asked)).map(({ notification }) => notification.id);
      const found: string[] = [];
      const sizes: number[] = [];
      let next = '';
      do {
        const page = (await hub.get(`${at}/notifications?limit=1000${next}`)).body;
        found.push(...page.data.map(({ id }: { id: string }) => id));
        sizes.push(page.data.length);
        next = page.next === undefined ? '' : `&after=${encodeURIComponent(page.next)}`;
      } while (next !== '');
      expect(sizes).toEqual([1000, 10]);
      expect(found.sort()).toEqual(ids.sort());
      await ledger.notifications.withdraw(project, ids[0] ?? '', 'Over.', ann);
      const count = async (query: string) => (await hub.get(`${at}/notifications/count${query}`)).body.data;
      expect(await count('')).toEqual({ count: 1009 });
      expect(await count('?status=withdrawn')).toEqual({ count: 1 });
      expect(await count('?status=all')).toEqual({ count: 1010 });
      expect((await hub.get('/notifications/count')).body.data.count).toBeGreaterThanOrEqual(1009);
      expect((await hub.get(`${at}/notifications/count?status=none`)).status).toBe(400);
      expect((await hub.get('/projects/p-none/notifications/count')).status).toBe(404);
    });

    it('may have ids such as __proto__, and a default is only what was given (CHAN-3, HUB-3)', async () => {
      const { hub, at } = await startHubOn(store);
      const given = (id: string, answers: string) =>
        hub.call(
          'POST',
          `${at}/notifications`,
          `{"source":"plan","sourceId":"${id}","questions":[{"id":"${id}","text":"x?"}],"policy":{"kind":"default","after":0.01,"answers":${answers}}}`,
        );
      for (const id of ['constructor', 'toString', '__proto__'])
        expect(await given(id, '{}'), id).toMatchObject({
          status: 400,
          body: { error: { message: `The default policy has no answer for question "${id}". Add one.` } },
        });
      const { id } = (await given('constructor', '{"constructor":"A"}')).body.data;
      const found = async () => (await hub.get(`${at}/notifications/${id}`)).body.data;
      await expect.poll(found).toMatchObject({ status: 'answered', responses: [{ answer: 'A' }] });
    });

    it('the same question of the same asker is returned, with status 200', async () => {
      const { hub, at } = await startHubOn(store);
      const one = await hub.call('POST', `${at}/notifications`, question);
      const two = await hub.call('POST', `${at}/notifications`, question);
      expect([one.status, two.status]).toEqual([201, 200]);
      expect(two.body.data.id).toBe(one.body.data.id);
    });

    it('an empty list of questions is ignored if another spelling has some; projectId comes from the path (HUB-1, LED-2)', async () => {
      const { project, hub, at } = await startHubOn(store);
      const asked = { source: 'plan', sourceId: 'login', open_questions: [], openQuestions: ['Which?'] };
      expect(await hub.call('POST', `${at}/notifications`, { ...asked, projectId: project })).toMatchObject({
        status: 201,
        body: { data: { questions: [{ text: 'Which?' }] } },
      });
      expect((await hub.call('POST', `${at}/notifications`, { ...asked, projectId: 'p-0' })).status).toBe(
        400,
      );
    });
  });
});
