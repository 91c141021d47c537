import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rules } from '../../../src/plan/audit/audit-plan.ts';
import { statuses } from '../../../src/plan/grammar/status.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/plans.md'), 'utf8');

it('AUD-3 docs/plans.md has each rule with its severity and what it finds, and no other', () => {
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (error|warning) \| (.*) \|$/gm)].map((match) =>
    match.slice(1, 4),
  );
  const expected = rules.map(({ code, severity, summary }) => [
    code,
    severity,
    summary.replaceAll('|', '\\|'),
  ]);
  expect(rows).toEqual(expected);
});

it('AUD-3 each rule has a unique code', () => {
  expect(new Set(rules.map(({ code }) => code)).size).toBe(rules.length);
});

it('PLAN-1 docs/plans.md names each status', () => {
  for (const status of statuses) expect(page).toContain(`\`${status}\``);
});
