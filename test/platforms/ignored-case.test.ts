import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { asOnDisk, realPath } from '../../src/files/real-path.ts';
import { planRepository } from '../cli/run/support/plan-repository.ts';
import { fermata, freshFolder } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { preloaded } from '../support/platforms/preloads.ts';

longTest('if the disk ignores case, two spellings of a plan are one plan', { timeout: 120_000 }, async () => {
  const { at } = planRepository([{ id: '1' }]);
  const anyCase = { ...at, env: { ...at.env, ...preloaded('ignores-case.cjs') } };
  for (const plan of ['plans/shop', 'Plans/SHOP']) {
    const { code, stderr, stdout } = await fermata(['run', plan, '--agent', 'scripted', '--json'], anyCase);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ plan: 'shop', standing: { closed: 1 } });
  }
  const { stdout } = await fermata(['tasks', 'list', '--json'], at);
  expect(JSON.parse(stdout).tasks).toMatchObject([{ id: 'shop/1' }]);
});

test('if the disk ignores case, a repository is one project however a checkout spells its path', async () => {
  const { cwd, at } = planRepository([]);
  const other = freshFolder();
  writeFileSync(join(other, '.git'), `gitdir: ${join(dirname(cwd), 'SHOP/.Git')}\n`);
  const env = { ...at.env, ...preloaded('ignores-case.cjs') };
  const projects = [cwd, other].map(async (folder) => {
    const { stdout } = await fermata(['config', '--json'], { cwd: folder, env });
    return JSON.parse(stdout).settings.project.value.id;
  });
  const [one, two] = await Promise.all(projects);
  expect(one).toMatch(/^p-/);
  expect(two).toBe(one);
});

test('a path keeps its links, and its case if the disk does not ignore it', () => {
  const folder = realPath(freshFolder());
  mkdirSync(join(folder, 'Plans/Shop'), { recursive: true });
  symlinkSync('Plans', join(folder, 'link'));
  expect(asOnDisk(join(folder, 'link/Shop'))).toBe(join(folder, 'link/Shop'));
  expect(asOnDisk(join(folder, 'Plans/Shop'))).toBe(join(folder, 'Plans/Shop'));
});
