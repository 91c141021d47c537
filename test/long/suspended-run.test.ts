import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
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
