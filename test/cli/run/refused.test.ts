import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fermata } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { planRepository } from './support/plan-repository.ts';

const LONG = 240_000;

describe('CLI-run refuses before an agent starts', () => {
  longTest(
    'RUN-2 another plan in the folder of a finished one does not count as done',
    async () => {
      const place = planRepository([{ id: '1' }]);
      expect((await place.run()).code).toBe(0);
      expect(await place.run(), 'the same plan is done').toMatchObject({ code: 0 });
      const file = join(place.cwd, 'plans/shop/phase-1.md');
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, text.replace('Completed', 'Pending'));
      const master = join(place.cwd, 'plans/shop/MASTER_PLAN.md');
      writeFileSync(master, readFileSync(master, 'utf8').replace('Completed', 'Pending'));
      expect((await place.run()).code, 'a status that was lost is shown again').toBe(0);
      expect(readFileSync(file, 'utf8')).toBe(text);
      writeFileSync(file, text.replace('Completed', 'Pending').replace('Do part 1', 'Do something else'));
      writeFileSync(master, readFileSync(master, 'utf8').replace('Completed', 'Pending'));
      const refused = await place.run();
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain('now has a different phase 1');
    },
    LONG,
  );

  test(
    'CLI-EXIT-1 a plan that fails the audit is not run, unless the person insists',
    async () => {
      const place = planRepository([{ id: '1', gate: 'true' }]);
      const { code, stderr } = await place.run();
      expect(code).toBe(1);
      expect(stderr).toMatch(/fails the audit[\s\S]*phase-1\.md:\d+ GATE_CANNOT_FAIL[\s\S]*--skip-audit/);
      expect((await place.run('--skip-audit')).code).toBe(0);
    },
    LONG,
  );

  test('CLI-EXIT-1 a plan with a placeholder for a gate command starts no agent', async () => {
    const place = planRepository([{ id: '1', gate: '{command that checks the style}' }]);
    const { code, stderr } = await place.run();
    expect(code).toBe(1);
    expect(stderr).toMatch(/fails the audit[\s\S]*phase-1\.md:\d+ PLACEHOLDER_LEFT/);
    expect(stderr).not.toContain('scripted starts');
  });

  test.each([
    [['--agent', 'claude', '--agent-command', '/nowhere/claude'], 4, 'not found|is not a program'],
    [
      ['--agent', 'command', '--agent-command', './plans/shop/phase-1.md'],
      4,
      'is not executable. Run "chmod \\+x"',
    ],
    [['--agent', 'nobody'], 2, 'Unknown agent "nobody"'],
    [['--agent', 'command'], 2, 'needs --agent-command PROGRAM, for example'],
    [['--parallel', '0'], 2, '--parallel: "0" is too small'],
    [['--gate-timeout', 'soon'], 2, '--gate-timeout'],
    [['--timeout', '0'], 2, '--timeout: "0" must be longer than 0'],
    [['--feature', 'a..b'], 2, 'is not a valid branch name'],
  ])('CLI-EXIT-4 %j is refused with a clear message', async (args, code, message) => {
    const place = planRepository([{ id: '1' }]);
    const refused = await place.run(...args);
    expect(refused.stderr).toMatch(new RegExp(message));
    expect(refused.code).toBe(code);
  });

  test(
    'PROT-5 a protocol that is broken, or extends a missing one, is reported with its place before anything starts',
    async () => {
      const place = planRepository([{ id: '1' }]);
      const folder = join(place.cwd, '.claude/protocols');
      mkdirSync(folder, { recursive: true });
      for (const [broken, message] of [
        ['steps:\n  x: oops\n', 'implementation.yaml:3:3: "x" is not a step number'],
        ['extends: nowhere\n', 'implementation.yaml:2:10: There is no protocol "nowhere" to extend'],
      ]) {
        writeFileSync(join(folder, 'implementation.yaml'), `name: implementation\n${broken}`);
        const { code, stderr } = await place.run();
        expect(stderr).toContain(message);
        expect(code).toBe(2);
      }
      expect(JSON.parse((await fermata(['tasks', 'list', '--json'], place.at)).stdout).tasks).toEqual([]);
    },
    LONG,
  );
});
