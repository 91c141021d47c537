import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { convert, place } from '../cli/support/convert-place.ts';
import { BAD_PLAN, PLAN } from '../plan/convert/support/plans.ts';

describe('CRASH convert is killed', () => {
  test('CONV-4 before it could report the plan: the same command reports it, and the next one is refused', async () => {
    const at = place([BAD_PLAN, PLAN]);
    const env = { ...at.env, FERMATA_CRASH_AT: 'plan.placed=kill' };
    expect((await convert({ ...at, env })).code).toBe(null);
    const { code, stdout, stderr } = await convert(at, '--json');
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Resuming at attempt 2'),
    });
    expect(JSON.parse(stdout)).toMatchObject({ success: true, iterations: 2 });
    expect(at.handle.invocations(), 'two answers, each requested once').toHaveLength(2);
    expect((await convert(at)).code).toBe(2);
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
