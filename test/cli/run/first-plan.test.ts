import { describe, expect, test } from 'vitest';
import { CTRL_C, inTerminal } from '../../support/pty.ts';
import { type PlanRepository, planRepository, type TestPhase } from './support/plan-repository.ts';

const LONG = 120_000;

const writesNotes: TestPhase = {
  id: '1',
  gate: 'test -e .git',
  steps: [
    { do: 'wait', ms: 300 },
    { do: 'write', path: 'plans/shop/notes/NOTES_1.md', content: 'Done as planned.\n' },
    { do: 'run', command: 'git add -A && git commit -q -m Notes' },
  ],
};

/** On main, with a plan that nobody has committed yet. */
function freshPlan(): PlanRepository {
  const place = planRepository([writesNotes], { FERMATA_TRUST: '' });
  place.git('branch', '-m', 'work', 'main');
  place.git('rm', '-r', '-q', '--cached', 'plans');
  place.git('commit', '-q', '-m', 'A shop');
  return place;
}

const has = (place: PlanRepository, branch: string) =>
  place.git('ls-tree', '-r', '--name-only', branch).includes('plans/shop/MASTER_PLAN.md');

describe('the first run of one’s own plan', () => {
  test(
    'RUN-1 BIND-12 asks to commit it with one key, before trust and before the branch is cut; its notes need no approval',
    async () => {
      const place = freshPlan();
      const terminal = inTerminal(['run', 'plans/shop', '--agent', 'scripted'], place.at);
      await terminal.shows(/Commit the plan shop to main.*\(Y\/n\) › /);
      expect(place.git('branch', '--list', 'shop')).toBe('');
      terminal.type('\r');
      await terminal.shows(/Trust plan shop\? `test -e .git` runs as gate of phase 1\.[\s\S]*› /);
      expect(has(place, 'main')).toBe(true);
      terminal.type('1\r');
      await terminal.shows(/1 of 1 phases of shop are done/);
      expect(await terminal.ended).toBe(0);
      expect(terminal.screen()).not.toMatch(/not committed|Merge task/);
      expect(has(place, 'shop')).toBe(true);
      expect(place.git('log', '-1', '--format=%s', 'main')).toBe('Add the plan shop');
    },
    LONG,
  );

  test(
    'RUN-2 committing the plan after its branch was cut is enough: the next run finds it there',
    async () => {
      const place = freshPlan();
      const terminal = inTerminal(['run', 'plans/shop', '--agent', 'scripted'], place.at);
      await terminal.shows(/Commit the plan[^›]*› /);
      terminal.type('n\r');
      await terminal.shows(/Trust plan[\s\S]*› /);
      terminal.type('1\r');
      await terminal.shows(/The plan is not committed/);
      await terminal.shows(/1: scripted starts/);
      terminal.type(CTRL_C);
      await terminal.ended;
      expect(has(place, 'shop')).toBe(false);
      place.git('add', 'plans');
      place.git('commit', '-q', '-m', 'The plan');
      const { code, stderr } = await place.run('--resume');
      expect(stderr).toContain('Added the plan to shop');
      expect(stderr).not.toContain('not committed');
      expect(has(place, 'shop')).toBe(true);
      expect(code, stderr).toBe(0);
    },
    LONG,
  );
});
