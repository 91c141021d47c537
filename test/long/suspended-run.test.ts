import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { planRepository } from '../cli/run/support/plan-repository.ts';
import { agentWorksForEver, worksForEver } from '../crash/support/works-for-ever.ts';
import { startFermata } from '../support/fermata.ts';

test.each([
  {
    what: 'agent',
    phase: { id: '1', steps: agentWorksForEver, gate: 'test -f made.txt' },
  },
  { what: 'gate command', phase: { id: '1', gate: `${worksForEver}; test -f made.txt` } },
])(
  'RUN-4 a run that wakes before another takes over continues: its $what was ended, and no failure is counted',
  async ({ what, phase }) => {
    const place = planRepository([phase]);
    const log = join(place.cwd, '.git/log');
    const running = startFermata(['run', 'plans/shop', '--agent', 'scripted'], {
      ...place.at,
      limitMs: 120_000,
    });
    while (!existsSync(log)) await sleep(100);
    running.child.kill('SIGSTOP');
    for (let before = '', now = '?'; before !== now; now = readFileSync(log, 'utf8')) {
      before = now;
      await sleep(1500);
    }
    running.child.kill('SIGCONT');
    const { code, stderr } = await running.ended;
    expect(code, stderr).toBe(0);
    if (what === 'agent') expect(stderr.match(/scripted starts|scripted resumes/g)).toHaveLength(2);
    else expect(stderr.match(/gate command check|(starts|tries) again/g)).toHaveLength(2);
  },
  150_000,
);

test('RUN-4 DRV-6 a run that is suspended loses its phase: its agent ends before another run takes it up, and it writes nothing more', async () => {
  const place = planRepository([
    { id: '1', steps: agentWorksForEver, gate: 'test -f made.txt' },
    { id: '2', dependsOn: ['1'] },
  ]);
  const options = { ...place.at, limitMs: 150_000 };
  const start = () => startFermata(['run', 'plans/shop', '--agent', 'scripted', '--json'], options);
  const log = join(place.cwd, '.git/log');

  const suspended = start();
  while (!existsSync(log)) await sleep(100);
  suspended.child.kill('SIGSTOP');
  const other = await start().ended;
  expect(other.code, other.stderr).toBe(0);
  expect(other.stderr).toContain('1: scripted resumes');
  const said = readFileSync(log, 'utf8').trim().split('\n');
  const second = said.indexOf('second');
  expect(second, 'the second agent came').toBeGreaterThan(0);
  expect(said.lastIndexOf('first'), 'nothing of the first agent after the second began').toBeLessThan(second);

  const head = place.git('rev-parse', 'work');
  suspended.child.kill('SIGCONT');
  const woken = await suspended.ended;
  expect(woken.code, woken.stderr).toBe(0);
  expect(woken.stderr).toMatch(/1: this process was suspended [^\n]*, so it released the task/);
  expect(JSON.parse(woken.stdout)).toMatchObject({ result: 'done' });
  expect(place.git('rev-parse', 'work'), 'the woken run merged nothing').toBe(head);
  expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual(said);
  expect(place.git('log', '--merges', '--format=%s', 'work').split('\n')).toHaveLength(1);

  const ledger = await openLedger(`${place.at.env?.FERMATA_HOME}/ledger.db`);
  const [project] = await ledger.projects.list();
  const runs = await ledger.runs.of(project?.id ?? '', 'execute', 'shop/1');
  await ledger.close();
  expect(runs.map(({ status, end }) => [status, end?.reason])).toEqual([['ended', 'ok']]);
}, 180_000);
