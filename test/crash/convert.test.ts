import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { convert, place } from '../cli/support/convert-place.ts';
import { BAD_PLAN, PLAN } from '../plan/convert/support/plans.ts';
import { spread } from '../support/long.ts';

/** Each step after which the agent's work is in the ledger, and how many answers it has given by then. */
const points: [string, number][] = [
  ['run.ended', 1],
  ['attempt.judged', 1],
  ['assignment.judged', 1],
  ['assignment.sent-back', 1],
  ['run.ended#2', 2],
  ['attempt.judged#2', 2],
  ['assignment.judged#2', 2],
  ['plan.staged', 2],
  ['plan.ready', 2],
  ['plan.between', 2],
  ['plan.placed', 2],
  ['assignment.used', 2],
];

describe('CRASH convert is killed', () => {
  test.each(spread(points))(
    'CONV-4 at %s: the same command resumes it, and no answer is requested twice',
    async (point, answers) => {
      const at = place([BAD_PLAN, PLAN]);
      const env = { ...at.env, FERMATA_CRASH_AT: `${point}=kill` };
      const killed = await convert({ ...at, env });
      expect({ code: killed.code, stdout: killed.stdout }).toEqual({ code: null, stdout: '' });
      expect(at.handle.invocations()).toHaveLength(answers);

      const { code, stdout, stderr } = await convert(at, '--json');
      expect({ code, stderr }).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/^Resuming at attempt [12] of 3\./),
      });
      expect(JSON.parse(stdout)).toMatchObject({
        success: true,
        iterations: 2,
        attempts: [{ passed: false, issues: [{ code: 'MISSING_GATES' }, {}] }, { passed: true }],
      });
      expect(JSON.parse(stdout).backup, 'nothing was there before').toBeUndefined();
      expect(at.handle.invocations(), 'two answers, each requested once').toHaveLength(2);
      expect(readdirSync(join(at.cwd, 'plans')), 'nothing is left over').toEqual(['shop']);

      const again = await convert(at);
      expect({ code: again.code, stderr: again.stderr }, 'it is over').toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--force'),
      });
    },
  );

  test('CONV-4 with the agent at work: the same command resumes its attempt', async () => {
    const at = place([BAD_PLAN, PLAN]);
    // The first attempt was sent back, and the second has begun.
    const env = { ...at.env, FERMATA_CRASH_AT: 'run.started#2=kill' };
    expect((await convert({ ...at, env })).code).toBe(null);
    const { code, stdout } = await convert(at, '--json');
    expect({ code, iterations: JSON.parse(stdout).iterations }).toEqual({ code: 0, iterations: 2 });
    expect(at.handle.invocations(), 'the first answer is not requested again').toHaveLength(2);
    expect(JSON.stringify(at.handle.invocations()[1])).toContain('MISSING_GATES');
  });

  test('CONV-4 another source is another conversion, which leaves the earlier one alone', async () => {
    const at = place([PLAN, PLAN]);
    const env = { ...at.env, FERMATA_CRASH_AT: 'plan.staged=kill' };
    expect((await convert({ ...at, env })).code).toBe(null);
    expect(existsSync(join(at.cwd, 'plans/shop'))).toBe(false);
    const { code, stderr } = await convert(at, '--require-fidelity');
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Resuming') });
    expect(at.handle.invocations()).toHaveLength(2);
  });
});
