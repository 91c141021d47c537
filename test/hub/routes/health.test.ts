import { expect, it } from 'vitest';
import { REJECTED_PUSH } from '../../../src/schema/block-reason.ts';
import { ann, coder } from '../../ledger/support/people.ts';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { question, startHubOn } from '../support/start.ts';

const minute = { worker: 'w', leaseSeconds: 60 };

eachStoreInLong((store) => {
  it('health and metrics need a token (HUB-1)', async () => {
    const { hub, at } = await startHubOn(store);
    await hub.call('POST', `${at}/notifications`, question);
    // A probe needs no more than an agent's token.
    const { secret } = (await hub.call('POST', '/tokens', { name: at, role: 'agent' })).body.data;
    const probe = { authorization: `Bearer ${secret}` };
    expect((await hub.get('/healthz', probe)).body).toMatchObject({ data: { status: 'ok' } });
    const metrics = (await hub.get('/metrics', probe)).body;
    expect(metrics).toMatch(/^fermata_http_requests_total\{method="POST",status="201"\} 2$/m);
    expect(metrics).toMatch(/^fermata_open_notifications \d+$/m);
  });

  it('TEAM-8 metrics say how long work waits for people, what is leased and ready, and which agents run', async () => {
    const { hub, at, ledger, project } = await startHubOn(store);
    const asked = (await hub.call('POST', `${at}/notifications`, question)).body.data;
    await hub.call('POST', `${at}/notifications`, { ...question, sourceId: 'other' });
    await hub.call('PATCH', `${at}/notifications/${asked.id}`, {
      responses: [{ questionId: 'q1', answer: 'SQLite' }],
    });
    for (const title of ['Ready', 'Held']) await hub.call('POST', `${at}/tasks`, { title });
    await ledger.tasks.claimNext(project, minute, ann);
    await ledger.runs.start(
      {
        projectId: project,
        agent: 'scripted',
        source: 'execute',
        sourceId: 't',
        cwd: '/',
        data: { for: 'other' },
      },
      minute,
      coder,
    );
    const metrics = (await hub.get('/metrics')).body as string;
    const value = (name: string) =>
      Number(
        metrics
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')[1],
      );
    expect(value('fermata_oldest_open_seconds')).toBeGreaterThan(0);
    expect(value('fermata_answer_wait_seconds_count')).toBeGreaterThanOrEqual(1);
    expect(value('fermata_answer_wait_seconds{quantile="0.95"}')).toBeGreaterThan(0);
    expect(value('fermata_ready_tasks')).toBeGreaterThanOrEqual(1);
    expect(value('fermata_leases{state="held"}')).toBeGreaterThanOrEqual(1);
    expect(value('fermata_agents{agent="scripted",status="running"}')).toBeGreaterThanOrEqual(1);
  });

  it('TEAM-8 metrics count workers, tasks that wait for one, failed jobs and refused pushes', async () => {
    const { hub, ledger, project } = await startHubOn(store);
    const figure = async (name: string) => {
      const lines = ((await hub.get('/metrics')).body as string).split('\n');
      const line = lines.find((each) => each.startsWith(`${name} `));
      return line === undefined ? undefined : Number(line.split(' ')[1]);
    };
    const before = (await figure('fermata_queued_tasks')) ?? 0;
    await ledger.tasks.add({ projectId: project, id: 'a', title: 'A' }, ann);
    const options = { featureBranch: 'm', remote: null, options: { agent: 'codex' } };
    await ledger.queue.place({ projectId: project, scope: 'a', needs: ['cobol'], options }, ann);
    expect(await figure('fermata_queued_tasks')).toBe(before + 1);
    expect(await figure('fermata_workers{ability="cobol"}')).toBeUndefined();
    const worker = { home: 'h', name: 'n', host: 'h', slots: 1, projects: null, version: '1' };
    await ledger.workers.seen({ ...worker, id: 'w1', abilities: ['cobol', 'gpu'] });
    await ledger.workers.seen({ ...worker, id: 'w2', abilities: ['cobol'] });
    expect(await figure('fermata_workers{ability="cobol"}')).toBe(2);
    expect(await figure('fermata_dead_jobs')).toBe(0);
    const refused = (await figure('fermata_rejected_pushes')) ?? 0;
    const reason = `Failed: origin (https://git.example/shop) ${REJECTED_PUSH} work: pre-receive hook declined`;
    await ledger.tasks.block(project, 'a', reason, ann);
    expect(await figure('fermata_rejected_pushes')).toBe(refused + 1);
  });
});
