import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fermata } from '../support/fermata.ts';
import { rolePlace, says } from './support/role-place.ts';

const phase = (title: string, gates: object[]) => ({
  title,
  tasks: ['One step'],
  gates,
  criteria: ['It works'],
});
const PLAN = JSON.stringify({
  title: 'Shop',
  phases: [
    phase('Tables', [{ name: 'tests', command: 'node --test' }]),
    { ...phase('Pages', [{ name: 'tests', command: 'node --test' }]), dependsOn: [0] },
  ],
});
const QUESTION = JSON.stringify({ open_questions: [{ id: 'q', text: 'Which currency?' }] });

const place = (...answers: string[]) => rolePlace(says(...answers));

describe('plan decompose', () => {
  test('CLI-plan a mistyped file, a folder, or no argument is refused before any agent runs', async () => {
    const at = place(PLAN);
    writeFileSync(join(at.cwd, 'shop.md'), '# A shop');
    const refused = async (...plan: string[]) => {
      const { code, stderr } = await fermata(['plan', 'decompose', ...plan, '--agent', 'scripted'], at);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused('shp.md')).toContain('There is no file shp.md. Did you mean "shop.md"?');
    expect(await refused('.')).toContain('. is a folder. Pass the plan as text, a file, or - for stdin.');
    expect(await refused()).toContain('The plan is missing. Pass it as text, a file, or - for stdin.');
    expect(at.handle.invocations()).toEqual([]);
  });

  test('LED-9 ROLE-1 questions stop it until they are answered; then the plan is written and passes the audit', async () => {
    const noGates = JSON.stringify({ title: 'Shop', phases: [phase('Tables', [])] });
    const at = place(QUESTION, noGates, PLAN);
    writeFileSync(join(at.cwd, 'shop.md'), '# A shop\n\nIt sells things.');
    const run = (...args: string[]) => fermata(['plan', 'decompose', ...args, '--agent', 'scripted'], at);
    const first = await run('shop.md', '--output', 'plans/shop', '--json');
    expect(first.code).toBe(3);
    const { questions, task } = JSON.parse(first.stdout);
    expect(questions).toMatchObject([{ source: 'plan', sourceId: 'a-shop-it-sells-things' }]);
    expect(existsSync(join(at.cwd, 'plans'))).toBe(false);
    await fermata(['answer', questions[0].id, 'Euro'], at);
    const second = await run('--resume', task);
    expect([second.code, second.stdout]).toEqual([
      0,
      'plans/shop\n  MASTER_PLAN.md\n  phase-1.md\n  phase-2.md\n',
    ]);
    expect(at.handle.invocations()[2]?.prompt).toMatch(/A: Euro[\s\S]*MISSING_GATES/);
    expect(readFileSync(join(at.cwd, 'plans/shop/phase-2.md'), 'utf8')).toContain('**Depends On:** Phase 1');
    expect((await fermata(['audit', 'plans/shop'], at)).code).toBe(0);
    expect((await run('--resume', task)).stderr).toContain('already done');
  });

  test.each([
    [[], /The plan is missing/],
    [['x', '--resume'], /Leave them out/],
    [['x', '--output', '.'], /not empty/],
  ])('CLI-EXIT-2 %s', async (args, message) => {
    const at = place(PLAN);
    writeFileSync(join(at.cwd, 'there'), '');
    const { code, stderr } = await fermata(['plan', 'decompose', ...args], at);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
