import { expect, it } from 'vitest';
import { ann, coder } from '../../ledger/support/people.ts';
import { eachStore } from '../../ledger/support/stores.ts';
import { question, startHubOn } from '../support/start.ts';

const minute = { worker: 'w', leaseSeconds: 60 };

eachStore((store) => {
  it('health and metrics are told to who has a token (HUB-1)', async () => {
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

  it('TEAM-8 metrics say how long people are waited for, what is leased and ready, and which agents run', async () => {
    const { hub, at, ledger, project } = await startHubOn(store);
    const asked = (await hub.call('POST', `${at}/notifications`, question)).body.data;
    await hub.call('POST', `${at}/notifications`, { ...question, sourceId: 'other' });
    await hub.call('PATCH', `${at}/notifications/${asked.id}`, {
      responses: [{ questionId: 'q1', answer: 'SQLite' }],
    });
    for (const title of ['Ready', 'Held']) await hub.call('POST', `${at}/tasks`, { title });
    await ledger.tasks.claimNext(project, minute, ann);
    await ledger.runs.start(
      { projectId: project, agent: 'scripted', source: 'execute', sourceId: 't', cwd: '/', data: {} },
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
});
