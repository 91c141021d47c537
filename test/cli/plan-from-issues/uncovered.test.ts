import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ScenarioBuilder } from '../../../src/testing.ts';
import { longTest } from '../../support/long-test.ts';
import { LONG, library, PLAN } from './support/place.ts';

/** The sample plan, whose first phase names these issues and whose others name none. */
const naming = (...numbers: number[]) =>
  PLAN.replace(/\*\*GitHub Issues:\*\* .*\n/g, '').replace(
    '**Status:** Pending\n',
    `**Status:** Pending\n**GitHub Issues:** ${numbers.map((number) => `#${number}`).join(', ')}\n`,
  );

function withTenIssues(agent: ScenarioBuilder) {
  const at = library(agent);
  const folder = join(at.cwd, 'issues');
  for (const number of [9, 10])
    writeFileSync(
      join(folder, `${number}-more.md`),
      `---\nnumber: ${number}\n---\n# More ${number}\n\nA note.\n`,
    );
  return at;
}

describe('CLI-plan-from-issues and a planner that leaves issues out', { timeout: LONG }, () => {
  test('a planner that covers 2 of 10 issues fails the audit and is sent back with the list of those missing (BIND-2)', async () => {
    const all = Array.from({ length: 10 }, (_, index) => index + 1);
    const at = withTenIssues(
      new ScenarioBuilder()
        .respondsWithText(naming(1, 2))
        .nextInvocation()
        .respondsWithText(naming(...all)),
    );
    const { code, stdout, stderr } = await at.run('--max-questions', '0', '--json');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/Attempt 1 has 8 errors/),
    });
    expect(JSON.parse(stdout)).toMatchObject({ iterations: 2, issues: all });
    const told = at.prompts()[1] ?? '';
    const missing = [...told.matchAll(/^- \[error\] UNCOVERED_ISSUE: .*#(\d+)\./gm)].map(([, number]) =>
      Number(number),
    );
    expect(missing).toEqual(all.slice(2));
  });

  longTest('if it leaves them out every time, no plan is written (BIND-2)', async () => {
    const at = withTenIssues(new ScenarioBuilder().forEachSession().respondsWithText(naming(1, 2)));
    const { code, stderr } = await at.run('--max-questions', '0');
    expect(code).toBe(1);
    expect(stderr).toContain('UNCOVERED_ISSUE: No phase covers issue #3.');
    mkdirSync(join(at.cwd, 'plans'), { recursive: true });
    expect(at.plans()).toEqual([]);
  });
});
