import { expect, test } from 'vitest';
import { planOnRecord } from '../../../src/work/worktrees/plan-on-record.ts';

test('VAR-2 a plan has the same name in each checkout; one outside is named by its path', () => {
  expect(planOnRecord('/shop', '/shop/plans/login')).toBe('plans/login');
  expect(planOnRecord('/shop-worktree', '/shop-worktree')).toBe(planOnRecord('/shop', '/shop'));
  expect(planOnRecord('/shop', '/elsewhere/login')).toBe('/elsewhere/login');
});
