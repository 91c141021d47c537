import { expect, it } from 'vitest';
import { loseNothing } from '../support/lose-nothing.ts';

it('VAR-3 2 generated worktree states: cleaning up and discarding lose no byte', async () => {
  const seeds = Array.from({ length: 2 }, (_, at) => at + 1);
  const { problems, discarded, refused } = await loseNothing(seeds);
  expect(problems).toEqual([]);
  const allowed = ['locked', 'repository_inside'];
  expect(Object.keys(refused).filter((type) => !allowed.includes(type))).toEqual([]);
  expect(discarded).toBeGreaterThan(1);
}, 300_000);
