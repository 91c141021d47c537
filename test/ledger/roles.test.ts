import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { answerByFileNow } from '../../src/channels/gate-file/answer-by-file.ts';
import { ledgerRoles } from '../../src/ledger/engine/ledger-roles.ts';
import { roleKinds, roleNames } from '../../src/ledger/engine/roles.ts';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import type { Placing } from '../../src/schema/work.ts';
import { postgresMissing } from '../support/fresh-database.ts';
import { answers, ask, askFor, refusal } from './support/ask.ts';
import { ann, bob, coder } from './support/people.ts';
import { barePlaces, query, type RolePlaces, rolePlaces } from './support/role-places.ts';

const COMMAND = '"fermata ledger roles --apply"';
const signal = () => AbortSignal.timeout(20_000);
const TRUST = { name: 'config', content: '{}' };
const GATE = { id: 'q1', text: 'Tested?', options: [{ label: 'passed' }, { label: 'failed' }] };
const order = (projectId: string, scope: string): Placing => ({
  projectId,
  scope,
  needs: ['claude'],
  options: { featureBranch: 'p', remote: null, options: { agent: 'claude' } },
});

async function open(place: string): Promise<Ledger> {
  const ledger = await openLedger(place, {});
  onTestFinished(() => ledger.close());
  return ledger;
}

/** PostgreSQL's own refusal of a statement; undefined if it executes it. */
const refused = (place: string, text: string): Promise<string | undefined> =>
  query(place, text).then(
    () => undefined,
    ({ code, message }) => (code === '42501' ? message : Promise.reject(new Error(`${text}: ${message}`))),
  );

describe.skipIf(postgresMissing !== undefined)('roles on PostgreSQL', () => {
  let places: RolePlaces;
  let project: string;
  let question: string;

  beforeAll(async () => {
    if (postgresMissing !== undefined) return;
    places = await rolePlaces();
    const ledger = await openLedger(places.hub, {});
    project = (await ledger.projects.ensure({ id: 'p', name: 'p', root: null })).id;
    await ledger.trust.accept(project, [TRUST], ann);
    await ledger.credentials.makeToken({ name: 'ci', role: 'agent' });
    await ledger.notices.addSink('ntfy');
    await ledger.tasks.add({ projectId: project, title: 'A task', id: 'shop/1' }, ann);
    question = (await ask(ledger, project)).id;
    await ledger.notifications.resolve(project, question, answers({ q1: 'SQLite' }), ann);
    await ledger.queue.place(order(project, 'shop/'), ann);
    await ask(ledger, project, { source: 'gate', sourceId: 'shop/1', questions: [GATE] });
    await ledger.close();
  });

  it('BIND-24 a hub does its job: people answer, amend, decide, trust, make and revoke tokens', async () => {
    const ledger = await open(places.hub);
    const { id } = await ask(ledger, project, { questions: [{ id: 'q1', text: 'Which queue?' }] });
    await ledger.notifications.resolve(project, id, answers({ q1: 'pg-boss' }, true), ann);
    await ledger.notifications.amend(
      project,
      id,
      { responses: [{ questionId: 'q1', answer: 'Kafka' }] },
      bob,
    );
    const [decision] = await ledger.decisions.current(project);
    expect(decision).toMatchObject({ answer: 'Kafka', by: bob });
    await ledger.projects.setHilConfig(project, 'full', ann);
    await ledger.trust.accept(project, [{ name: 'x', content: 'y' }], ann);
    expect(await ledger.trust.revoke(project, 'x', ann)).toBe(true);
    await ledger.clones.accept(project, 'git.corp/acme/shop', ann);
    const { token } = await ledger.credentials.makeToken({ name: 'bot', role: 'agent' });
    await ledger.credentials.revoke(token.id, ann);
    await ledger.tasks.add({ projectId: project, id: 'a', title: 'A' }, ann);
    await ledger.queue.place(order(project, 'a'), ann);
    expect(await ledger.queue.stop(project, 'a', ann)).toBe(true);
    await ledger.notices.collect('ntfy');
    expect((await ledger.figures.read()).deadJobs).toBe(0);
  });

  it('BIND-24 a worker does its job: it takes queued work, asks, applies defaults and delivers answers', async () => {
    const ledger = await open(places.worker);
    const supervision = await ledger.jobs?.supervise();
    onTestFinished(() => supervision?.stop());
    await ledger.jobs?.open({ projectId: project, needs: 'a new one' });
    await ledger.workers.seen({
      ...{ id: 'w1', home: 'h', name: 'w', host: 'host', abilities: ['claude'], slots: 1 },
      ...{ projects: null, version: '1' },
    });
    const hub = await open(places.hub);
    await hub.tasks.add({ projectId: project, title: 'Another', id: 'queued' }, ann);
    await hub.queue.place(order(project, 'queued'), ann);
    const job = await ledger.jobs?.take({ projectId: project, needs: 'claude' });
    expect(job).toBeDefined();
    const claim = { worker: 'w1', leaseSeconds: 60 };
    const group = { projectId: project, needs: 'claude', id: 'queued' };
    const task = await ledger.queue.take(group, 'h', claim, bob);
    expect(task).toMatchObject({ id: 'queued', status: 'in_progress' });
    if (job) await ledger.jobs?.done(job);

    const asked = await askFor(
      ledger,
      project,
      'queued',
      {
        questions: [
          { id: 'q1', text: 'Tabs?' },
          { id: 'q2', text: 'Width?' },
        ],
        policy: { kind: 'default', after: 0.001, answers: { q1: 'No', q2: 'four' } },
      },
      bob,
    );
    await hub.notifications.resolve(project, asked.id, answers({ q1: 'Yes' }), ann);
    await expect
      .poll(async () => {
        await ledger.notifications.applyDeadlines();
        return (await ledger.notifications.get(project, asked.id)).status;
      })
      .toBe('answered');
    const { responses } = await ledger.notifications.get(project, asked.id);
    expect(responses.map(({ by }) => by.actor.kind)).toEqual(['person', 'policy']);
    await ledger.notifications.markDelivered(project, asked.id, coder);
    expect((await ledger.notifications.wait(project, asked.id, signal()))?.status).toBe('delivered');
    const left = await askFor(ledger, project, 'queued', { questions: [{ id: 'q1', text: 'Left?' }] });
    await ledger.notifications.withdraw(project, left.id, 'It ended.', bob);
    await ledger.trust.accept(project, [{ name: 'plan:shop', content: 'its phases' }], ann);
    await ledger.workers.gone('w1');
  });

  it('BIND-24 a reader lists everything but secrets', async () => {
    const ledger = await open(places.reader);
    expect(await ledger.projects.list()).toHaveLength(1);
    expect((await ledger.notifications.get(project, question)).responses).toHaveLength(1);
    expect(await ledger.tasks.list(project)).not.toEqual([]);
    expect(await ledger.events.list(project, 0, 5)).toHaveLength(5);
    expect(await ledger.decisions.list(project)).not.toEqual([]);
    expect(await ledger.trust.list(project)).not.toEqual([]);
    expect(await ledger.runs.list(project)).toEqual([]);
    expect(await ledger.workers.list()).toEqual([]);
  });

  it('BIND-24 each table of a ledger has its rights', async () => {
    const { sql } = await ledgerRoles(places.owner, { apply: false });
    const tables = await query(places.admin, "select tablename from pg_tables where schemaname = 'public'");
    expect(tables.length).toBeGreaterThan(20);
    const without = tables.filter(({ tablename }) => !sql.includes(`on "public"."${tablename}" to`));
    expect(without).toEqual([]);
  });

  const PERSON =
    '[{"questionId":"q1","kind":"answered","answer":"No","by":{"actor":{"kind":"person","name":"ann"},"channel":"web"},"at":"2026-01-01T00:00:00.000Z"}]';
  const twice = PERSON.replace(
    '"by":',
    '"by":{"actor":{"kind":"policy","name":"default"},"channel":"ledger"},"by":',
  );
  const disguised = PERSON.replace('"kind":"person"', '"\\u006bind":"person"');
  const asked = `insert into open_questions select 'new', project_id, source, source_id, kind, task_id, run_id, 'answered', 'answered', questions, '${PERSON}', null, policy, proposal, resume, gate, 'new', null, null, null, null, null, 0, 0, 0, created_by, 0, null, null, 1, asker, null, 0, null, null from open_questions limit 1`;

  const nobody: Record<string, string> = {
    'change an event': "update events set type = 'x'",
    'delete events': 'delete from events',
    'empty the events': 'truncate events',
    'create a table': 'create table mine (a int)',
    'create a function': "create function f() returns int language sql as 'select 1'",
    'create a schema': 'create schema mine',
    'drop a table': 'drop table events',
    'disable the guard': 'alter table open_questions disable trigger all',
    'replace the guard':
      "create or replace function fermata_guard_answers() returns trigger language plpgsql as 'begin return new; end'",
    'act as the owner': "do $$ begin execute format('set role %I', current_database() || '_owner'); end $$",
    'delete questions': 'delete from open_questions',
    'delete decisions': 'delete from decisions',
    'change the version': 'update fermata_version set version = 9',
    'drop a queue': "select fermata_jobs.delete_queue('dead')",
  };
  const workers: Record<string, string> = {
    'read credentials': 'select hash from credentials',
    'make credentials':
      "insert into credentials values ('h', 'k', 'token', 'human', 'me', null, null, 0, null)",
    'change credentials': "update credentials set role = 'human'",
    'revoke credentials': 'delete from credentials',
    'read notices': 'select * from notices',
    'record a decision':
      'insert into decisions select \'d2\', project_id, question_key, question, \'"No"\', note, source, source_id, notification_id, "by", at, 1, null from decisions',
    'make a decision standing': 'update decisions set standing = 1',
    'accept a remote': `insert into accepted_remotes values ('p', 'evil.example/shop', '[]', '{}', 0)`,
    'let agents do more alone': "update projects set hil_config = '{}'",
    'add a project': "insert into projects values ('q', 'q', null, null, 0, 0, 0)",
    'revoke trust': 'delete from trusted_contents',
    'delete queued work': 'delete from tasks',
    'change what was asked': "update open_questions set questions = '[]'",
    'change who asked': "update open_questions set created_by = '{}'",
    'answer as a person': `update open_questions set responses = '${PERSON}'`,
    'answer as a person, with a field twice': `update open_questions set responses = '${twice}'`,
    'answer as a person, in other letters': `update open_questions set responses = '${disguised}'`,
    'answer a gate in the name of a policy': `update open_questions set responses = '${PERSON.replace('"kind":"person"', '"kind":"policy"')}' where kind = 'gate'`,
    'remove an answer': "update open_questions set responses = '[]' where status = 'answered'",
    'rewrite the history of an answer':
      "update open_questions set replaced = '[]', responses = responses where status = 'answered'",
    'add an answered question': asked,
  };
  const readers: Record<string, string> = {
    'read credentials': 'select hash from credentials',
    'read notices': 'select * from notices',
    'read jobs': 'select * from fermata_jobs.job',
    'create a queue': "select fermata_jobs.create_queue('x', '{}')",
    ask: 'insert into open_questions select * from open_questions',
    'change a task': "update tasks set status = 'closed'",
    'add an event': 'insert into events select * from events',
    'lock a project': 'select 1 from projects for update',
  };

  it.each(Object.entries(nobody))('BIND-24 nobody but the owner may %s', async (_, text) => {
    for (const kind of roleKinds) expect(await refused(places[kind], text), kind).toMatch(/./);
  });

  it.each(Object.entries(workers))('BIND-24 a worker may not %s', async (_, text) => {
    expect(await refused(places.worker, text)).toMatch(/permission denied|what a person answers/);
  });

  it.each(Object.entries(readers))('BIND-24 a reader may not %s', async (_, text) => {
    expect(await refused(places.reader, text)).toMatch(/permission denied/);
  });

  it('BIND-24 a refusal says so, with what to do', async () => {
    const worker = await open(places.worker);
    const { id } = await ask(worker, project, { questions: [{ id: 'q1', text: 'Deploy?' }] });
    const answered = await refusal(worker.notifications.resolve(project, id, answers({ q1: 'Yes' }), ann));
    expect(answered).toMatchObject({ code: 'forbidden' });
    expect(answered.message).toContain('_hub');
    expect((await worker.notifications.get(project, id)).status).toBe('open');
    const folder = mkdtempSync(join(tmpdir(), 'fermata-gate-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const gate = await ask(worker, project, { source: 'gate', sourceId: 'shop/1', questions: [GATE] });
    const file = join(folder, 'gate.yaml');
    writeFileSync(file, 'q1: passed\ndone: true\n');
    await answerByFileNow(worker, gate, file, ann);
    expect(readFileSync(file, 'utf8')).toContain('_hub');
    expect((await worker.notifications.get(project, gate.id)).status).toBe('open');
    const reader = await open(places.reader);
    const added = await refusal(ask(reader, project, { questions: [{ id: 'q1', text: 'Which?' }] }));
    expect(added).toMatchObject({ code: 'forbidden' });
    expect(added.message).toContain(COMMAND);
  });
});

describe.skipIf(postgresMissing !== undefined)('a ledger whose owner is somebody else', () => {
  it('BIND-24 cannot be opened before the owner has created it, and says which command does that', async () => {
    const places = await barePlaces();
    const empty = await refusal(openLedger(places.worker, {}));
    expect(empty).toMatchObject({ code: 'forbidden' });
    expect(empty.message).toContain('has no tables yet');
    expect(empty.message).toContain(COMMAND);
    await (await openLedger(places.owner, {})).close();
    expect((await refusal(openLedger(places.worker, {}))).message).toContain(COMMAND);
    await ledgerRoles(places.owner, { apply: true });
    await query(places.owner, 'update fermata_version set version = 0');
    const old = await refusal(openLedger(places.hub, {}));
    expect(old.message).toMatch(/has version 0|no tables yet/);
    await query(places.owner, 'update fermata_version set version = 999');
    expect(await refusal(openLedger(places.hub, {}))).toMatchObject({ code: 'newer_schema' });
  });

  it.each([
    [
      'are missing',
      'drop schema fermata_jobs cascade; create schema fermata_jobs; grant usage on schema fermata_jobs to public',
    ],
    ['are from an earlier version', 'update fermata_jobs.version set version = 20'],
  ])('BIND-24 if the queues %s, a worker neither creates nor migrates them', async (_, change) => {
    const places = await rolePlaces();
    await query(places.owner, change);
    const ledger = await open(places.worker);
    for (const attempt of [
      () => ledger.jobs?.supervise(),
      () => ledger.jobs?.open({ projectId: 'p', needs: '' }),
    ]) {
      const error = await refusal(Promise.resolve(attempt()));
      expect(error).toMatchObject({ code: 'forbidden' });
      expect(error.message).toContain(COMMAND);
    }
    expect(
      await query(
        places.owner,
        "select 1 from pg_tables where schemaname = 'fermata_jobs' and tablename = 'subscription' limit 1",
      ),
    ).toHaveLength(change.startsWith('drop') ? 0 : 1);
  });
});

describe.skipIf(postgresMissing !== undefined)('sharing a ledger', () => {
  const apply = (place: string) => ledgerRoles(place, { apply: true });

  it('BIND-24 can be repeated, also at the same time, and takes back what was granted by hand', async () => {
    const { owner, worker } = await rolePlaces();
    const { roles } = await ledgerRoles(owner, { apply: false });
    await query(owner, `grant all on all tables in schema public to ${roles.worker}`);
    expect(await refused(worker, 'delete from events')).toBeUndefined();
    await Promise.all([apply(owner), apply(owner), apply(owner)]);
    expect(await refused(worker, 'delete from events')).toMatch(/permission denied/);
  });

  it('BIND-24 prints a script that an administrator can execute, whatever the database is called', async () => {
    const { admin } = await barePlaces();
    const name = `a "b" c's $$ ${new URL(admin).pathname.slice(3, 9)}`;
    await query(admin.replace(/\/t_[^?]*/, '/postgres'), `create database "${name.replaceAll('"', '""')}"`);
    const place = Object.assign(new URL(admin), { pathname: `/${encodeURI(name)}` }).href;
    const before = await ledgerRoles(place, { apply: false });
    expect(before).toMatchObject({ database: name, isReady: false });
    expect(await query(place, "select 1 from pg_tables where schemaname = 'public'")).toEqual([]);
    expect(await query(place, `select 1 from pg_roles where rolname like 'a "b" c''s %'`)).toEqual([]);
    await apply(place);
    const { sql, roles } = await ledgerRoles(place, { apply: false });
    await query(place, sql);
    expect(roles.worker).toBe(`${name}_worker`);
    expect(await query(place, `select 1 from pg_roles where rolname like 'a "b" c''s %'`)).toHaveLength(3);
  });

  it('BIND-24 says who has to do it if this role cannot', async () => {
    const places = await rolePlaces();
    const asWorker = await refusal(apply(places.worker));
    expect(asWorker).toMatchObject({ code: 'forbidden' });
    expect(asWorker.message).toContain(`_owner"`);
    const { roles } = await ledgerRoles(places.owner, { apply: false });
    await query(places.admin, `alter role ${roles.reader} superuser`);
    const unlimited = await refusal(apply(places.owner));
    expect(unlimited).toMatchObject({ code: 'invalid' });
    expect(unlimited.message).toContain(roles.reader);
    await query(
      places.admin,
      `drop owned by ${roles.hub}; drop role ${roles.hub}; alter role ${roles.reader} nosuperuser`,
    );
    const missing = await refusal(apply(places.owner));
    expect(missing).toMatchObject({ code: 'forbidden' });
    expect(missing.message).toContain(roles.hub);
    await query(places.admin, `alter role ${roles.worker.replace('_worker', '_owner')} createrole`);
    await apply(places.owner);
    expect(
      await query(places.admin, `select rolpassword from pg_authid where rolname = '${roles.hub}'`),
    ).toEqual([{ rolpassword: null }]);
  });

  it('BIND-24 says what only an administrator can take away, as before PostgreSQL 15', async () => {
    const { admin, owner } = await barePlaces();
    await query(admin, 'alter schema public owner to postgres; grant create on schema public to public');
    expect((await apply(owner)).left).toEqual(['revoke create on schema public from public']);
    await query(admin, 'revoke create on schema public from public');
    expect((await ledgerRoles(owner, { apply: false })).left).toEqual([]);
  });

  it('BIND-24 refuses a database whose name leaves no room for the roles', () => {
    expect(roleNames('x'.repeat(56))?.worker).toHaveLength(63);
    expect(roleNames('é'.repeat(29))).toBeUndefined();
  });
});
