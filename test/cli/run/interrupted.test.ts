import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fermata, startFermata } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { processesIn } from '../../support/processes.ts';
import { DONE, planRepository } from './support/plan-repository.ts';

const LONG = 240_000;

describe('CLI-run Ctrl-C', () => {
  test(
    'RUN-3 Ctrl-C stops agents, keeps everything, and the run can be resumed',
    async () => {
      const place = planRepository([
        {
          id: '1',
          steps: [{ do: 'run', command: 'if [ -f slow ]; then rm slow; else touch slow; sleep 1000; fi' }],
        },
      ]);
      const running = startFermata(['run', 'plans/shop', '--agent', 'scripted'], place.at);
      const home = place.at.env?.FERMATA_HOME ?? '';
      const names = () => (existsSync(home) ? readdirSync(home, { recursive: true, encoding: 'utf8' }) : []);
      await expect.poll(() => names().some((name) => name.endsWith('/slow'))).toBe(true);
      running.child.kill('SIGINT');
      const { code, stdout } = await running.ended;
      expect(code).toBe(130);
      expect(stdout).toContain('fermata run --resume plans/shop');
      const tasks = JSON.parse((await fermata(['tasks', 'list', '--json'], place.at)).stdout).tasks;
      expect(tasks).toMatchObject([{ id: 'shop/1', status: 'open', assignee: null }]);
      const resumed = await place.run('--resume');
      expect(resumed.code, resumed.stderr).toBe(0);
    },
    LONG,
  );

  longTest(
    'RUN-3 Ctrl-C twice ends at once, without leaving an agent behind; the run can be resumed',
    async () => {
      const hangs = {
        ignoresSigterm: true,
        steps: [{ do: 'write' as const, path: 'pid.txt', content: 'x' }, { do: 'hang' as const }],
      };
      const place = planRepository([
        { id: '1', scenario: { invocations: [hangs, { steps: [DONE] }, { steps: [DONE] }] } },
      ]);
      const running = startFermata(['run', 'plans/shop', '--agent', 'scripted'], place.at);
      const worktree = () =>
        place.git('worktree', 'list', '--porcelain').match(/worktree (.+implementation-1.+)/)?.[1];
      await expect
        .poll(() => existsSync(join(worktree() ?? 'none', 'pid.txt')), { timeout: LONG })
        .toBe(true);
      expect(processesIn(worktree() ?? 'none')).not.toEqual([]);
      const stopping = new Promise<void>((done) => {
        running.child.stderr?.on('data', (text) => /Stopping\./.test(String(text)) && done());
      });
      running.child.kill('SIGINT');
      await stopping;
      running.child.kill('SIGINT');
      expect((await running.ended).code).toBe(130);
      await expect.poll(() => processesIn(worktree() ?? 'none')).toEqual([]);
      const resumed = await place.run('--resume');
      expect(resumed.code, resumed.stderr).toBe(0);
    },
    LONG,
  );
});
