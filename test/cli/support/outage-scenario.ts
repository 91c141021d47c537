import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Notification } from '../../../src/schema/notification.ts';
import { request } from '../../hub/support/hub.ts';
import { fermata, freshFolder, type Running, startFermata } from '../../support/fermata.ts';
import type { ownPostgres } from '../../support/own-postgres.ts';
import type { Outage } from '../../support/postgres.ts';
import { planRepository } from '../run/support/plan-repository.ts';

/**
 * A hub, a run with three agents, an ask, an MCP server and `events --follow` survive an outage: nothing is
 * lost, none of them ends, and each prints at most one sentence per change.
 */
export async function surviveOutage(
  postgres: ReturnType<typeof ownPostgres>,
  { how, ms }: { how: Outage; ms: number },
): Promise<void> {
  const store = await postgres.createDatabase();
  const go = join(freshFolder(), 'go');
  const phases = ['1', '2', '3'].map((id) => ({
    id,
    steps: [
      { do: 'run' as const, command: `until [ -e '${go}' ]; do sleep 0.5; done` },
      { do: 'write' as const, path: `${id}.txt`, content: 'x\n' },
    ],
  }));
  const place = planRepository(phases, { FERMATA_STORE: store });
  const at = { ...place.at, limitMs: ms + 200_000 };
  const start = (...args: string[]) => startFermata(args, at);

  const hub = start('serve', '--port', '0', '--json');
  const { url, token } = JSON.parse((await hub.shows(/\n/)).split('\n')[0] ?? '');
  const call = (path: string) => request(url + path, 'GET', undefined, { authorization: `Bearer ${token}` });
  const run = start('run', 'plans/shop', '--agent', 'scripted', '--parallel', '3', '--json');
  run.child.stdin?.end();
  const ask = start('ask', 'Which colour?', '--no-prompt');
  ask.child.stdin?.end();
  const mcp = startMcp(start('mcp'), 'Which shape?');
  const events = start('events', '--follow', '--json');
  const asked = await both(call);
  await expect.poll(() => eventsOf(events).filter(isAgentStart).length, { timeout: 90_000 }).toBe(3);

  await postgres.halt(how);
  const began = performance.now();
  if (ms > 3000) {
    expect(await call('/healthz')).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect(performance.now() - began).toBeLessThan(4000);
  }
  await sleep(Math.max(0, ms - (performance.now() - began)));
  await postgres.bringBack();

  for (const { id } of asked) expect((await fermata(['answer', id, 'blue'], at)).code).toBe(0);
  writeFileSync(go, '');
  expect(await ask.ended).toMatchObject({ code: 0, stdout: 'blue\n' });
  await mcp.shows(/blue/);
  const ran = await run.ended;
  expect(ran.code, ran.stderr).toBe(0);
  expect(JSON.parse(ran.stdout)).toMatchObject({ result: 'done', standing: { closed: 3 } });
  for (const id of ['1', '2', '3'])
    expect(place.git('log', '--format=%s', 'work').split(`implementation-${id}'`)).toHaveLength(2);
  await expect.poll(async () => (await call('/healthz')).status, { timeout: 20_000 }).toBe(200);
  const numbers = () => eventsOf(events).map(({ number }) => number);
  await expect.poll(() => eventsOf(events).filter(isAnswer).length, { timeout: 20_000 }).toBe(2);
  expect(numbers()).toEqual(numbers().map((_, index) => index + 1));

  for (const each of [hub, events, mcp]) {
    each.child.kill('SIGINT');
    await each.ended;
  }
  for (const each of [hub, run, ask, events, mcp]) expectOneLineEach((await each.ended).stderr);
}

function startMcp(running: Running, text: string): Running {
  const say = (message: object) =>
    running.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'test', version: '1' };
  say({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  });
  say({ method: 'notifications/initialized' });
  say({
    id: 2,
    method: 'tools/call',
    params: { name: 'ask_human', arguments: { question: text } },
  });
  return running;
}

/** What ask and the MCP server have asked. */
async function both(call: (path: string) => ReturnType<typeof request>): Promise<Notification[]> {
  let found: Notification[] = [];
  await expect
    .poll(
      async () => {
        found = (await call('/notifications?status=open')).body.data;
        return found.length;
      },
      { timeout: 60_000 },
    )
    .toBe(2);
  return found;
}

interface Line {
  number: number;
  type: string;
  data: { kind?: string; status?: string; from?: string };
}

const eventsOf = (running: Running): Line[] =>
  running
    .shown()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const isAgentStart = ({ type, data }: Line) => type === 'run.event' && data.kind === 'started';
const isAnswer = ({ type, data }: Line) => type === 'notification.resolved' && data.status === 'answered';

function expectOneLineEach(stderr: string): void {
  const told = stderr.split('\n').filter((line) => line.startsWith('The store is '));
  expect(told.length, stderr).toBeLessThanOrEqual(2);
  // A process that gets its answer right after the outage ends before it can report the end.
  const changes = ['The store is unavail', 'The store is availab'].slice(0, told.length);
  expect(told.map((line) => line.slice(0, 20))).toEqual(changes);
  expect(stderr).not.toContain('went wrong inside');
}
