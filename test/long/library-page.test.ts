import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ScenarioBuilder } from '../../src/testing.ts';
import { planRepository } from '../cli/run/support/plan-repository.ts';
import { compile, projectWithPackage } from '../library/support/installed-package.ts';
import { PLAN } from '../plan/convert/support/plans.ts';
import { environment, freshFolder } from '../support/fermata.ts';

const PAGE = join(import.meta.dirname, '../../docs/library.md');

test('the examples of docs/library.md have the right types in a clean project, and run', () => {
  const folder = projectWithPackage();
  const examples = [...readFileSync(PAGE, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(
    ([, text = '']) => text,
  );
  expect(examples.length).toBeGreaterThan(5);
  const names = examples.map((text, index) => {
    writeFileSync(join(folder, `example-${index}.ts`), text);
    return `example-${index}`;
  });
  compile(
    folder,
    names.map((name) => `${name}.ts`),
  );
  const plan = planRepository([{ id: '1' }], {}, freshFolder('shop'));
  const writer = new ScenarioBuilder()
    .respondsWithText(PLAN.replace('Pending\n**Depends', 'Pending\n**GitHub Issues:** #7\n**Depends'))
    .build();
  onTestFinished(() => writer.remove());
  for (const [index, name] of names.entries()) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, `${name}.js`)], {
      cwd: examples[index]?.includes('runPlan') ? plan.cwd : freshFolder(),
      env: environment({
        ...plan.at.env,
        ...(examples[index]?.includes('planFromIssues') ? writer.env : {}),
      }) as NodeJS.ProcessEnv,
      encoding: 'utf8',
      timeout: 100_000,
    });
    expect(status, `${examples[index]}\n${stdout}\n${stderr}`).toBe(0);
    expect(shownIn(stdout, examples[index] ?? ''), stdout).toEqual([]);
  }
}, 240_000);

/** What the remarks say that it prints, and it did not. */
function shownIn(printed: string, example: string): string[] {
  const remarks = [...example.matchAll(/^console\.log\(.*\); \/\/ (?:\{ )?'?([\w ]+)/gm)].map(
    ([, text = '']) => text,
  );
  return remarks.filter((text) => !printed.includes(text.trim()));
}
