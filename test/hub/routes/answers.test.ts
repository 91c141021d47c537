import { describe, expect, it } from 'vitest';
import { eachStore } from '../../ledger/support/stores.ts';
import { question, startHubOn } from '../support/start.ts';

eachStore((store) => {
  describe('an answer (HUB-1)', () => {
    it('the first answer wins; a repeat is accepted; another one is refused with the winner (LED-4)', async () => {
      const { hub, at } = await startHubOn(store);
      const { id } = (await hub.call('POST', `${at}/notifications`, question)).body.data;
      const answer = (text: string) =>
        hub.call('PATCH', `${at}/notifications/${id}`, { responses: [{ questionId: 'q1', answer: text }] });
      expect((await answer('SQLite')).status).toBe(200);
      expect((await answer('SQLite')).status).toBe(200);
      expect(await answer('MySQL')).toMatchObject({
        status: 409,
        body: { error: { code: 'conflict', details: { by: { actor: { name: 'ann' } } } } },
      });
    });

    it('approvals are approved or rejected, anything can be dismissed with a reason', async () => {
      const { hub, at } = await startHubOn(store);
      const approval = { source: 'approval', sourceId: 'deploy', questions: ['Deploy now?'] };
      const asked = (await hub.call('POST', `${at}/notifications`, approval)).body.data;
      const path = `${at}/notifications/${asked.id}`;
      expect(
        (await hub.call('PATCH', path, { responses: [{ questionId: 'q1', answer: 'hm' }] })).status,
      ).toBe(400);
      expect((await hub.call('PATCH', path, { approved: false, comment: 'Friday' })).body.data).toMatchObject(
        {
          status: 'answered',
          responses: [{ answer: 'Reject', note: 'Friday' }],
        },
      );
      const other = (await hub.call('POST', `${at}/notifications`, question)).body.data;
      const dismissed = await hub.call('PATCH', `${at}/notifications/${other.id}`, {
        dismissed: true,
        reason: 'Not needed.',
      });
      expect(dismissed.body.data).toMatchObject({ status: 'declined', reason: 'Not needed.' });
    });

    it.each([
      ['an empty body', {}, 400, /"responses".*"approved".*"dismissed"/],
      ['nothing', undefined, 400, /./],
      ['no responses', { responses: [] }, 400, /./],
      ['unknown keys', { answer: 'x' }, 400, /"responses".*"approved".*"dismissed"/],
      ['an unknown question', { responses: [{ questionId: 'zzz', answer: 'A' }] }, 400, /./],
      [
        'an answer that is no text',
        { responses: [{ questionId: 'q1', answer: 5 }] },
        400,
        /responses\.0\.answer/,
      ],
      ['two forms at once', { responses: [{ questionId: 'q1', answer: 'A' }], approved: true }, 400, /or/],
      [
        'an answer that is skipped',
        { responses: [{ questionId: 'q1', answer: 'A', skipped: true }] },
        400,
        /or/,
      ],
      ['no JSON', '{"responses":', 400, /./],
    ])('%s is refused and changes nothing', async (_, body, status, told) => {
      const { hub, at } = await startHubOn(store);
      const { id } = (await hub.call('POST', `${at}/notifications`, question)).body.data;
      const refused = await hub.call('PATCH', `${at}/notifications/${id}`, body);
      expect(refused).toMatchObject({
        status,
        body: { error: { code: 'invalid', message: expect.stringMatching(told) } },
      });
      expect((await hub.get(`${at}/notifications/${id}`)).body.data).toMatchObject({
        status: 'open',
        responses: [],
      });
    });

    it('an option with a blank is not an answer until it is filled in, and the refusal names it (CHAN-2)', async () => {
      const { hub, at } = await startHubOn(store);
      const options = [{ id: 'b', label: 'Only here: …' }, 'Saving…'];
      const asked = {
        ...question,
        questions: [{ id: 'q1', text: 'When?', options, recommended: 'Only here: …' }],
      };
      const { id } = (await hub.call('POST', `${at}/notifications`, asked)).body.data;
      const answer = (text: string) =>
        hub.call('PATCH', `${at}/notifications/${id}`, { responses: [{ questionId: 'q1', answer: text }] });
      for (const literal of ['Only here: …', 'b', ' only HERE: … ']) {
        expect(await answer(literal), literal).toMatchObject({
          status: 400,
          body: {
            error: {
              code: 'invalid',
              message: '"Only here: …" has a blank to fill in. Write the whole answer.',
              details: { blank: { questionId: 'q1', option: 'Only here: …' } },
            },
          },
        });
      }
      expect((await answer('Only here: Firefox')).body.data).toMatchObject({ status: 'answered' });
    });

    it('unknown fields of an answer are ignored, and null counts as absent (HUB-1)', async () => {
      const { hub, at } = await startHubOn(store);
      const { id } = (await hub.call('POST', `${at}/notifications`, question)).body.data;
      const responses = [{ questionId: 'q1', answer: 'A', note: null, seen: 1 }];
      const body = { status: 'resolved', responses, approved: null };
      expect(await hub.call('PATCH', `${at}/notifications/${id}`, body)).toMatchObject({
        status: 200,
        body: { data: { status: 'answered' } },
      });
    });
  });
});
