import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eachStore } from '../ledger/support/stores.ts';
import { testHub } from './support/hub.ts';

const question = { source: 'plan', sourceId: 'login', questions: [{ id: 'q1', text: 'Which database?' }] };

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-hub-project-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

eachStore((store) => {
  async function start() {
    const { ledger, project } = await store.start();
    const hub = await testHub(store);
    return { ledger, project, hub, at: `/api/v1/projects/${project}` };
  }

  describe('notifications (HUB-1)', () => {
    it('are asked, listed in pages, read, answered and withdrawn', async () => {
      const { hub, at, project } = await start();
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

    it('more than a page holds are all there, page by page, each once; and are counted without them', async () => {
      const { ledger, project, hub, at } = await start();
      const person = { actor: { kind: 'person', name: 'ann' }, channel: 'rest' } as const;
      const asked = Array.from({ length: 1010 }, (_, n) =>
        ledger.notifications.create(
          { projectId: project, source: 'plan', sourceId: `s${n}`, questions: [`Which for ${n}?`] },
          person,
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
      await ledger.notifications.withdraw(project, ids[0] ?? '', 'Over.', person);
      const count = async (query: string) => (await hub.get(`${at}/notifications/count${query}`)).body.data;
      expect(await count('')).toEqual({ count: 1009 });
      expect(await count('?status=withdrawn')).toEqual({ count: 1 });
      expect(await count('?status=all')).toEqual({ count: 1010 });
      expect((await hub.get('/notifications/count')).body.data.count).toBeGreaterThanOrEqual(1009);
      expect((await hub.get(`${at}/notifications/count?status=none`)).status).toBe(400);
      expect((await hub.get('/projects/p-none/notifications/count')).status).toBe(404);
    });

    it('the same question of the same asker is taken up, with status 200', async () => {
      const { hub, at } = await start();
      const one = await hub.call('POST', `${at}/notifications`, question);
      const two = await hub.call('POST', `${at}/notifications`, question);
      expect([one.status, two.status]).toEqual([201, 200]);
      expect(two.body.data.id).toBe(one.body.data.id);
    });

    it('the first answer wins; a repeat is accepted; another one is told who won (LED-4)', async () => {
      const { hub, at } = await start();
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
      const { hub, at } = await start();
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
      const { hub, at } = await start();
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

    it('an option with a blank is no answer until it is filled in, and the refusal names it (CHAN-2)', async () => {
      const { hub, at } = await start();
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
              message: '"Only here: …" has a blank: write the answer out, with what belongs there.',
              details: { blank: { questionId: 'q1', option: 'Only here: …' } },
            },
          },
        });
      }
      expect((await answer('Only here: Firefox')).body.data).toMatchObject({ status: 'answered' });
    });

    it('what belongs to no form of an answer is left out, and null is nothing (HUB-1)', async () => {
      const { hub, at } = await start();
      const { id } = (await hub.call('POST', `${at}/notifications`, question)).body.data;
      const responses = [{ questionId: 'q1', answer: 'A', note: null, seen: 1 }];
      const body = { status: 'resolved', responses, approved: null };
      expect(await hub.call('PATCH', `${at}/notifications/${id}`, body)).toMatchObject({
        status: 200,
        body: { data: { status: 'answered' } },
      });
    });

    it('an empty list of questions leaves another name of it to count; projectId is that of the path (HUB-1, LED-2)', async () => {
      const { project, hub, at } = await start();
      const asked = { source: 'plan', sourceId: 'login', open_questions: [], openQuestions: ['Which?'] };
      expect(await hub.call('POST', `${at}/notifications`, { ...asked, projectId: project })).toMatchObject({
        status: 201,
        body: { data: { questions: [{ text: 'Which?' }] } },
      });
      expect((await hub.call('POST', `${at}/notifications`, { ...asked, projectId: 'p-0' })).status).toBe(
        400,
      );
    });

    it('ids that are unknown, or of another project, are 404', async () => {
      const { ledger, hub, at } = await start();
      const other = await store.project(ledger);
      const make = async (path: string, body: unknown) =>
        (await hub.call('POST', `${at}/${path}`, body)).body.data;
      const { id } = await make('notifications', question);
      for (const path of [`${at}/notifications/n-none`, `/projects/${other}/notifications/${id}`]) {
        expect(await hub.get(path)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
        expect((await hub.call('PATCH', path, { dismissed: true, reason: 'x' })).status).toBe(404);
        expect((await hub.call('DELETE', path)).status).toBe(404);
      }
      await make('tasks', { id: 't1', title: 'T' });
      const run = await make('runs', { agent: 'claude', source: 'execute', sourceId: 't1' });
      const feedback = await make('feedback', { text: 'Slow.' });
      const responses = [{ questionId: 'q1', answer: 'A', standing: true }];
      await hub.call('PATCH', `${at}/notifications/${id}`, { responses });
      const [decision] = (await hub.get(`${at}/decisions`)).body.data;
      const steps = [{ kind: 'text', text: 'x' }];
      for (const [method, path, body] of [
        ['GET', 'tasks/t1'],
        ['GET', 'tasks/t1/chat'],
        ['PATCH', 'tasks/t1', { status: 'closed' }],
        ['POST', 'tasks/t1/claim'],
        ['POST', 'tasks/t1/result', { status: 'success' }],
        ['POST', 'tasks/t1/chat', { text: 'x' }],
        ['GET', `runs/${run.id}`],
        ['GET', `runs/${run.id}/events`],
        ['PATCH', `runs/${run.id}`, { status: 'waiting', fence: run.fence }],
        ['POST', `runs/${run.id}/events`, { fence: run.fence, steps }],
        ['GET', `feedback/${feedback.id}`],
        ['DELETE', `decisions/${decision.id}/standing`],
      ] as const) {
        const there = await hub.call(method, `/projects/${other}/${path}`, body);
        expect(there.status, `${method} ${path}`).toBe(404);
      }
      expect((await ledger.projects.get(other)).lastEvent).toBe(0);
      for (const path of [
        'notifications',
        'tasks',
        'tasks/ready',
        'events',
        'runs',
        'plans',
        'decisions',
        'settings',
      ]) {
        expect((await hub.get(`/projects/p-none/${path}`)).status, path).toBe(404);
      }
    });
  });

  describe('tasks (HUB-1)', () => {
    it('are blocked, freed, finished and reopened; block_reason is an alias', async () => {
      const { hub, at } = await start();
      await hub.call('POST', `${at}/tasks`, { id: 'a', title: 'First' });
      await hub.call('POST', `${at}/tasks`, { id: 'plan/1', title: 'Second', dependsOn: ['a'] });
      const patch = async (id: string, body: unknown) =>
        (await hub.call('PATCH', `${at}/tasks/${encodeURIComponent(id)}`, body)).body.data;
      expect(await patch('a', { status: 'blocked', block_reason: 'No key' })).toMatchObject({
        status: 'blocked',
        blockReason: 'No key',
        block_reason: 'No key',
      });
      expect(await patch('a', { status: 'open' })).toMatchObject({ status: 'open', block_reason: null });
      const ready = async () =>
        (await hub.get(`${at}/tasks/ready`)).body.data.map((task: { id: string }) => task.id);
      expect(await ready()).toEqual(['a']);
      expect(await patch('a', { status: 'closed' })).toMatchObject({ status: 'closed' });
      expect(await ready()).toEqual(['plan/1']);
      expect(await patch('a', { status: 'open' })).toMatchObject({ status: 'open' });
      const claimed = await hub.call('POST', `${at}/tasks/a/claim`);
      expect(claimed.body.data).toMatchObject({
        status: 'in_progress',
        assignee: 'ann',
        fence: expect.any(Number),
      });
      expect((await hub.call('POST', `${at}/tasks/a/claim`, { worker: 'bob' })).status).toBe(409);
      expect(await patch('a', { assignee: null })).toMatchObject({ status: 'open', assignee: null });
      expect(await patch('a', { assignee: 'Sam' })).toMatchObject({ status: 'in_progress', assignee: 'Sam' });
      expect(
        await patch('a', { assignee: '', status: 'blocked', block_reason: 'Open Question' }),
      ).toMatchObject({
        status: 'blocked',
        assignee: null,
      });
      await patch('a', { status: 'open' });
      await patch('a', { assignee: 'Sam' });
      expect(await patch('a', { assignee: 'Sam', status: 'open' })).toMatchObject({ status: 'open' });
      expect((await hub.get(`${at}/tasks?status=open&limit=1`)).body).toMatchObject({
        data: [{ id: 'a' }],
        next: expect.any(String),
      });
    });

    it.each([
      ['a reason without a block', { block_reason: 'Open Question' }],
      ['nothing', {}],
      ['a status that is claimed, not set', { status: 'in_progress' }],
      ['a dependency on an unknown task', { dependsOn: ['nope'] }],
      ['an empty title', { title: ' ' }],
      ['two kinds of changes at once', { title: 'Other', status: 'closed' }],
    ])('%s is refused', async (_, body) => {
      const { hub, at } = await start();
      await hub.call('POST', `${at}/tasks`, { id: 'a', title: 'First' });
      expect((await hub.call('PATCH', `${at}/tasks/a`, body)).status).toBeGreaterThanOrEqual(400);
      expect((await hub.get(`${at}/tasks/ready`)).body.data).toHaveLength(1);
    });

    it('are written anew by a person, and claimed by who is named with in_progress', async () => {
      const { hub, at } = await start();
      for (const id of ['a', 'b']) await hub.call('POST', `${at}/tasks`, { id, title: id, body: 'Why' });
      const edited = await hub.call('PATCH', `${at}/tasks/b`, { title: 'First now', priority: 0 });
      expect(edited.body.data).toMatchObject({
        title: 'First now',
        body: 'Why',
        priority: 0,
        status: 'open',
      });
      const ready = (await hub.get(`${at}/tasks/ready`)).body.data;
      expect(ready.map(({ id }: { id: string }) => id)).toEqual(['b', 'a']);
      expect(
        (await hub.call('PATCH', `${at}/tasks/a`, { status: 'in_progress', assignee: 'Sam' })).body.data,
      ).toMatchObject({ status: 'in_progress', assignee: 'Sam' });
      const other = await hub.call('PATCH', `${at}/tasks/a`, { status: 'in_progress', assignee: 'Frodo' });
      expect(other.status).toBe(409);
      const { secret } = (await hub.call('POST', '/tokens', { role: 'agent', name: 'coder' })).body.data;
      const agent = { authorization: `Bearer ${secret}` };
      expect((await hub.call('PATCH', `${at}/tasks/a`, { title: 'Mine' }, agent)).status).toBe(403);
    });

    it("a Coder's result blocks its task with its questions, closes it, or leaves it to a person (LED-6)", async () => {
      const { hub, at } = await start();
      for (const id of ['asks', 'done', 'failed']) await hub.call('POST', `${at}/tasks`, { id, title: id });
      const result = async (id: string, body: unknown) =>
        (await hub.call('POST', `${at}/tasks/${id}/result`, body)).body;
      expect(
        await result('asks', {
          status: 'FAILED',
          summary: 'I need to know more.',
          open_questions: [],
          openQuestions: [{ id: 'c', text: 'Which one?' }],
        }),
      ).toMatchObject({
        data: {
          task: { status: 'blocked', block_reason: 'Open Question', assignee: null },
          notification: { source: 'execute', sourceId: 'asks', questions: [{ id: 'c' }] },
        },
      });
      expect((await hub.get(`${at}/tasks/asks/chat`)).body.data).toMatchObject([
        { text: 'I need to know more.' },
      ]);
      expect(await result('done', { status: 'success', summary: 'It works.' })).toMatchObject({
        data: { task: { status: 'closed' } },
      });
      expect(await result('failed', { status: 'failed', open_questions: [{ id: 'a' }] })).toMatchObject({
        data: { task: { status: 'blocked', blockReason: 'Coding Failure' } },
      });
      expect((await hub.call('POST', `${at}/tasks/done/result`, { summary: 'x' })).status).toBe(400);
    });

    it("a Coder's question is decided by itself where the project leaves it to its agents (ROLE-3, LED-10)", async () => {
      const { hub, at } = await start();
      await hub.call('PATCH', `${at}/settings`, { hilConfig: 'full' });
      await hub.call('POST', `${at}/tasks`, { id: 'asks', title: 'Work' });
      const own = { text: 'A or B?', category: 'architecture', options: ['A', 'B'], recommended: 'B' };
      const { data } = (
        await hub.call('POST', `${at}/tasks/asks/result`, { status: 'failed', open_questions: [own] })
      ).body;
      expect(data).toMatchObject({
        task: { status: 'open', block_reason: null },
        notification: { status: 'answered', resolvedBy: { actor: { kind: 'policy', name: 'automated' } } },
      });
    });

    it.each([
      ['no status', { open_questions: ['Which?'] }, undefined],
      ['an unknown status', { status: 'needs_input', open_questions: [{ text: 'Which?' }] }, undefined],
      ['empty other fields', { status: 'failed', summary: null, openQuestions: ['Which?'] }, undefined],
      ['no list', { status: null, testsPassed: 'all', open_questions: { text: 'Which?' } }, undefined],
      ['unreadable ones beside it', { open_questions: ['x'.repeat(70_000), null, 'Which?'] }, 2],
    ])('a Coder with %s loses no question (ROLE-2, LED-6)', async (_, body, dropped) => {
      const { hub, at } = await start();
      await hub.call('POST', `${at}/tasks`, { id: 'asks', title: 'Work' });
      const { data } = (await hub.call('POST', `${at}/tasks/asks/result`, body)).body;
      expect(data).toMatchObject({
        task: { status: 'blocked', block_reason: 'Open Question' },
        notification: { questions: [{ text: 'Which?' }] },
      });
      expect(data.dropped?.length).toBe(dropped);
    });
  });

  it('runs are started, told about, watched and ended (HUB-1)', async () => {
    const { hub, at } = await start();
    const run = { agent: 'claude', source: 'execute', sourceId: 't1' };
    const started = (await hub.call('POST', `${at}/runs`, run)).body.data;
    const path = `${at}/runs/${started.id}`;
    const steps = [
      { kind: 'text', text: 'Reading.' },
      { kind: 'usage', usage: { input_tokens: 5 } },
    ];
    expect((await hub.call('POST', `${path}/events`, { fence: 1, steps })).status).toBe(201);
    expect((await hub.call('POST', `${path}/events`, { fence: 9, steps })).status).toBe(409);
    await hub.call('POST', `${at}/runs`, { ...run, sourceId: 't2' });
    const ended = { status: 'ended', fence: 1, reason: 'ok', message: 'Done.' };
    expect((await hub.call('PATCH', path, ended)).body.data).toMatchObject({ status: 'ended' });
    expect((await hub.get(path)).body.data).toMatchObject({ id: started.id, questions: [] });
    const events = (await hub.get(`${path}/events`)).body.data;
    expect(events.map(({ data }: { data: { kind: string } }) => data.kind)).toEqual([
      'started',
      'text',
      'usage',
      'end',
    ]);
    expect((await hub.get(`${path}/events?after=${events[1].number}&limit=1`)).body).toMatchObject({
      data: [{ data: { kind: 'usage' } }],
      next: String(events[2].number),
    });
    expect((await hub.get(`${at}/runs`)).body.data).toHaveLength(2);
  });

  it.each([
    ['runs', { agent: 'claude', source: 'execute', sourceId: 't1' }],
    ['feedback', { text: 'Slow.' }],
    ['tasks', { title: 'Work' }],
  ])('%s come in pages, each of them once (HUB-1)', async (path, body) => {
    const { hub, at } = await start();
    const made: string[] = [];
    for (let n = 0; n < 7; n++) made.push((await hub.call('POST', `${at}/${path}`, body)).body.data.id);
    const found: string[] = [];
    let next = '';
    do {
      const page = (await hub.get(`${at}/${path}?limit=3${next}`)).body;
      found.push(...page.data.map(({ id }: { id: string }) => id));
      next = page.next === undefined ? '' : `&after=${encodeURIComponent(page.next)}`;
    } while (next !== '' && found.length < 20);
    expect(found).toHaveLength(7);
    expect(found.sort()).toEqual(made.sort());
    expect((await hub.get(`${at}/${path}?after=nonsense`)).status).toBe(400);
  });

  it('feedback is stored for the Analyst, and shown with what was asked about it (HUB-1)', async () => {
    const { ledger, project, hub, at } = await start();
    const given = await hub.call('POST', `${at}/feedback`, { text: 'The search is slow.' });
    expect(given).toMatchObject({ status: 201, body: { data: { role: 'analyst', status: 'open' } } });
    const { id } = given.body.data;
    const asked = { projectId: project, source: 'eval' as const, sourceId: id, questions: ['How slow?'] };
    const analyst = { actor: { kind: 'agent', name: 'analyst' }, channel: 'agent' } as const;
    await ledger.notifications.create(asked, analyst);
    expect((await hub.get(`${at}/feedback`)).body.data).toMatchObject([{ id, text: 'The search is slow.' }]);
    expect((await hub.get(`${at}/feedback/${id}`)).body.data.questions).toMatchObject([
      { questions: [{ text: 'How slow?' }] },
    ]);
    expect((await hub.get(`${at}/feedback/f-none`)).status).toBe(404);
    expect((await hub.call('POST', `${at}/feedback`, { text: ' ' })).status).toBe(400);
  });

  it('settings are read and changed, and only by what there is (HUB-1, LED-10)', async () => {
    const { hub, at } = await start();
    expect((await hub.get(`${at}/settings`)).body.data.hilConfig.scopeChanges).toBe('requires_approval');
    const full = await hub.call('PATCH', `${at}/settings`, { hilConfig: 'full' });
    expect(full.body.data.hilConfig).toEqual({
      scopeChanges: 'automated',
      architectureDecisions: 'automated',
      dependencyModifications: 'automated',
    });
    const one = await hub.call('PATCH', `${at}/settings`, {
      hilConfig: { scopeChanges: 'notify_and_proceed' },
    });
    expect(one.body.data.hilConfig).toMatchObject({
      scopeChanges: 'notify_and_proceed',
      architectureDecisions: 'automated',
    });
    for (const [hilConfig, told] of [
      [{ scopeChanges: 'never' }, /hilConfig\.scopeChanges.*notify_and_proceed/],
      [{ nope: 'automated' }, /nope/],
      ['most', /hilConfig.*major_only/],
      [null, /hilConfig/],
    ]) {
      const { status, body } = await hub.call('PATCH', `${at}/settings`, { hilConfig });
      expect(status).toBe(400);
      expect(body.error.message).toMatch(told as RegExp);
    }
  });

  it('an answer becomes a decision; one that stands answers by itself until it is taken back (HUB-1, LED-12)', async () => {
    const { hub, at } = await start();
    const ask = async (sourceId: string, source = 'plan') =>
      (await hub.call('POST', `${at}/notifications`, { ...question, source, sourceId })).body.data;
    const answer = (id: string, standing: unknown) =>
      hub.call('PATCH', `${at}/notifications/${id}`, {
        responses: [{ questionId: 'q1', answer: 'A', standing }],
      });
    const { id } = await ask('first');
    for (const wrong of ['yes', 1]) expect((await answer(id, wrong)).status).toBe(400);
    expect((await answer(id, true)).body.data).toMatchObject({
      status: 'answered',
      responses: [{ answer: 'A', standing: true }],
    });
    const [decision] = (await hub.get(`${at}/decisions`)).body.data;
    expect(decision).toMatchObject({ answer: 'A', standing: true });
    expect(await ask('second')).toMatchObject({
      status: 'answered',
      responses: [
        { answer: 'A', by: { actor: { kind: 'policy', name: `standing decision ${decision.id}` } } },
      ],
    });
    expect((await hub.call('DELETE', `${at}/decisions/${decision.id}/standing`)).status).toBe(200);
    expect((await hub.get(`${at}/decisions`)).body.data).toMatchObject([{ standing: false }]);
    expect(await ask('third')).toMatchObject({ status: 'open', questions: [{ recommended: 'A' }] });
    const gate = await ask('fourth', 'gate');
    expect(await answer(gate.id, true)).toMatchObject({
      status: 400,
      body: { error: { message: 'An answer to a gate cannot stand for the next time.' } },
    });
    const document = (await hub.get('/openapi.json')).body;
    const patch = document.paths['/projects/{project}/notifications/{notification}'].patch.requestBody;
    expect(JSON.stringify(patch)).toContain('"standing"');
  });

  it('projects are listed, and a folder is made one (HUB-1)', async () => {
    const { hub } = await start();
    const root = freshFolder();
    const made = await hub.call('POST', '/projects', { root });
    expect(made).toMatchObject({ status: 201, body: { data: { id: expect.stringMatching(/^p-/) } } });
    expect((await hub.call('POST', '/projects', { root })).status).toBe(200);
    expect((await hub.get('/projects')).body.data).toContainEqual(made.body.data);
    expect((await hub.get(`/projects/${made.body.data.id}`)).body.data).toEqual(made.body.data);
    writeFileSync(join(root, 'file'), '');
    for (const wrong of [
      'relative',
      join(root, 'missing'),
      join(root, 'file'),
      join(root, 'file/below'),
      '/\0',
    ]) {
      expect((await hub.call('POST', '/projects', { root: wrong })).status).toBe(400);
    }
  });

  it("a project's plans are listed and shown with what the audit finds; no name leads out of the folder (HUB-1, HUB-3)", async () => {
    const { hub } = await start();
    const root = freshFolder();
    mkdirSync(join(root, 'plans/login'), { recursive: true });
    writeFileSync(
      join(root, 'plans/login/MASTER_PLAN.md'),
      '# Log-in\n\n| Phase | Title | Status |\n|---|---|---|\n| 1 | [Form](phase-1.md) | Completed |\n',
    );
    mkdirSync(join(root, 'secret'));
    writeFileSync(join(root, 'secret/MASTER_PLAN.md'), '# Secret\n');
    symlinkSync(join(root, 'secret'), join(root, 'plans/link'));
    const { id } = (await hub.call('POST', '/projects', { root })).body.data;
    expect((await hub.get(`/projects/${id}/plans`)).body.data).toMatchObject([
      { name: 'login', title: 'Log-in' },
    ]);
    expect((await hub.get(`/projects/${id}/plans/login`)).body.data).toMatchObject({
      title: 'Log-in',
      audit: {
        passed: false,
        issues: expect.arrayContaining([expect.objectContaining({ severity: 'error' })]),
      },
      files: { 'MASTER_PLAN.md': expect.stringContaining('# Log-in') },
    });
    for (const name of ['link', '..%2Fsecret', '%2e%2e', 'login%2F..%2F..%2Fsecret', 'nope']) {
      expect((await hub.get(`/projects/${id}/plans/${name}`)).status, name).toBe(404);
    }
  });

  it('health and metrics are told to who has a token (HUB-1)', async () => {
    const { hub, at } = await start();
    await hub.call('POST', `${at}/notifications`, question);
    // A probe needs no more than an agent's token.
    const { secret } = (await hub.call('POST', '/tokens', { name: at, role: 'agent' })).body.data;
    const probe = { authorization: `Bearer ${secret}` };
    expect((await hub.get('/healthz', probe)).body).toMatchObject({ data: { status: 'ok' } });
    const metrics = (await hub.get('/metrics', probe)).body;
    expect(metrics).toMatch(/^fermata_http_requests_total\{method="POST",status="201"\} 2$/m);
    expect(metrics).toMatch(/^fermata_open_notifications \d+$/m);
  });
});
