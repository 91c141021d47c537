import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { coverSpec, readIds } from '../../scripts/coverage-spec.mjs';

const passed = (name: string) => ({ name, state: 'passed' });
const covered = (id: string, name: string) => coverSpec([{ id, title: '' }], [passed(name)])[0]?.tests === 1;

it('an id is covered by a passing test that names it as a whole word, and by nothing else', () => {
  expect(covered('PIPE-1', 'a pipe (PIPE-1) is on')).toBe(true);
  expect(covered('PIPE-1', 'PIPE-1: is on')).toBe(true);
  expect(covered('PIPE-1', 'PIPE-10 is on')).toBe(false);
  expect(covered('CLI-plan', 'CLI-plan-init works')).toBe(false);
  expect(covered('PIPE-1', 'XPIPE-1')).toBe(false);
  const failed = coverSpec([{ id: 'PIPE-1', title: '' }], [{ name: 'PIPE-1', state: 'failed' }]);
  expect(failed[0]?.tests).toBe(0);
});

it('the list of ids has each id once, with a title', () => {
  const ids = readIds(
    readFileSync(join(import.meta.dirname, '../../docs/contributors/spec-ids.txt'), 'utf8'),
  );
  expect(ids.length).toBeGreaterThan(100);
  expect(new Set(ids.map(({ id }) => id)).size).toBe(ids.length);
  for (const { id, title } of ids) {
    expect(id).toMatch(/^[A-Z]+-[\w-]+$/);
    expect(title).not.toBe('');
  }
});
