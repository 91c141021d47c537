import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planRepository } from '../cli/run/support/plan-repository.ts';
import { fermata, freshFolder } from '../support/fermata.ts';
import { gitOfVersion } from '../support/platforms/git-version.ts';

describe.each(['2.30.2', '2.34.1'])('with git %s', (version) => {
  const told = `Fermata needs git 2.38 or newer, but the installed version is ${version}`;

  test('the demo says in one sentence which git it needs, and creates nothing', async () => {
    const folder = join(freshFolder(), 'demo');
    const { code, stdout, stderr } = await fermata(['demo', '--headless', '--folder', folder], {
      env: gitOfVersion(version, freshFolder()),
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(told);
    expect(existsSync(folder)).toBe(false);
  });

  test('run says so before it adds a task', async () => {
    const { at } = planRepository([{ id: '1' }]);
    const env = { ...at.env, ...gitOfVersion(version, freshFolder()) };
    const { code, stderr } = await fermata(['run', 'plans/shop', '--agent', 'scripted'], { ...at, env });
    expect(code).toBe(1);
    expect(stderr).toContain(told);
    const tasks = await fermata(['tasks', 'list', '--json'], { ...at, env });
    expect(JSON.parse(tasks.stdout)).toMatchObject({ tasks: [] });
  });
});
