import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { place, SOURCE } from '../cli/support/convert-place.ts';
import { request } from '../hub/support/hub.ts';
import { BAD_PLAN, PLAN } from '../plan/convert/support/plans.ts';
import { startFermata } from '../support/fermata.ts';
import { isLong } from '../support/long.ts';

/** The real program on a free port, and the address of a conversion in its folder. */
async function serve(at: ReturnType<typeof place>, crash: Record<string, string> = {}) {
  const running = startFermata(['serve', '--port', '0', '--format', 'json'], {
    ...at,
    env: { ...at.env, ...crash },
  });
  const [line = ''] = (await running.shows(/\n/)).split('\n');
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  const call = (method: string, path: string, body?: unknown) =>
    request(url + path, method, body, { authorization: `Bearer ${token}` });
  const { id } = (await call('GET', '/projects')).body.data[0];
  const tasks = `/projects/${id}/tasks`;
  const look = async () => (await call('GET', `${tasks}/convert:shop`)).body.data.work;
  return { ...running, start: () => call('POST', tasks, BODY), look };
}

const BODY = { kind: 'convert', input: { plan: 'plans/shop', text: SOURCE }, start: { agent: 'scripted' } };

const points: [string, number][] = [
  ['assignment.sent-back', 1],
  ['run.ended', 1],
  ['plan.between', 2],
];

test.each(points.slice(0, isLong ? points.length : 1))(
  'CRASH WORK-7 CONV-4 HUB-1 a hub killed at %s continues the conversion by itself, and no answer is requested twice',
  async (point, answers) => {
    const at = place([BAD_PLAN, PLAN]);
    const killed = await serve(at, { FERMATA_CRASH_AT: `${point}=kill` });
    await killed.start().catch(() => undefined); // it may die before it replies
    expect((await killed.ended).code).toBe(null);
    expect(at.handle.invocations()).toHaveLength(answers);

    const hub = await serve(at);
    await vi.waitFor(async () => expect(await hub.look()).toMatchObject({ result: 'done' }), {
      timeout: 30_000,
      interval: 100,
    });
    expect(at.handle.invocations(), 'two answers, each requested once').toHaveLength(2);
    expect(existsSync(join(at.cwd, 'plans/shop/MASTER_PLAN.md'))).toBe(true);
    hub.child.kill('SIGINT');
    expect((await hub.ended).code).toBe(0);
  },
  60_000,
);
