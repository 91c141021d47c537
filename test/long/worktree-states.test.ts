import { expect, it } from 'vitest';
import { loseNothing } from '../work/support/lose-nothing.ts';

const BATCH = 50;

it('VAR-3 1,000 generated worktree states: cleaning up and discarding lose no byte', async () => {
  const problems: string[] = [];
  const refused = new Set<string>();
  let [discarded, removed] = [0, 0];
  for (let from = 1001; from <= 2000; from += BATCH) {
    const outcome = await loseNothing(Array.from({ length: BATCH }, (_, at) => from + at));
    problems.push(...outcome.problems);
    for (const type of Object.keys(outcome.refused)) refused.add(type);
    discarded += outcome.discarded;
    removed += outcome.removed;
  }
  expect(problems).toEqual([]);
  expect([...refused].sort()).toEqual(['locked', 'repository_inside']);
  expect(discarded).toBeGreaterThan(600);
  expect(removed).toBeGreaterThan(20);
}, 3_600_000);
