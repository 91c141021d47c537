import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { planFiles } from '../../../src/plan/decompose.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import { ScenarioBuilder } from '../../../src/testing.ts';
import { fermata, freshFolder } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';

const DONE = '{"status":"success","summary":"done"}';
const ADDED = '{"dependencies":{"left-pad":"1.3.0"}}';

/** A repository with a plan of one phase, and an agent for it. */
function place(scenario: ScenarioBuilder) {
  const cwd = freshFolder();
  const handle = scenario.build();
  onTestFinished(() => handle.remove());
  const git = (...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' });
  git('init', '-q', '-b', 'work');
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@example.org');
  const phase = { title: 'Start', dependsOn: [], tasks: ['Do it'], criteria: [] };
  const gates = [{ name: 'done', command: 'test -f done.txt' }];
  mkdirSync(join(cwd, 'plans/shop'), { recursive: true });
  for (const { name, content } of planFiles(
    { title: 'Shop', overview: '', phases: [{ ...phase, gates }] },
    '2026-01-31',
  )) {
    writeFileSync(join(cwd, 'plans/shop', name), content);
  }
  writeFileSync(join(cwd, 'package.json'), '{"dependencies":{}}');
  git('add', '-A');
  git('commit', '-q', '-m', 'plan');
  const env: Record<string, string> = { FERMATA_HOME: join(cwd, '..', 'home'), ...handle.env };
  const at = { cwd, env };
  return {
    at,
    handle,
    merged: () => git('show', 'work:package.json'),
    run: () => fermata(['run', 'plans/shop', '--agent', 'scripted', '--json'], at),
    inbox: async (): Promise<Notification[]> =>
      JSON.parse((await fermata(['inbox', '--json'], at)).stdout).notifications,
  };
}

describe('decisions that an agent of a run may make', () => {
  longTest(
    'ROLE-3 LED-10 at level automated, its own recommendations answer its questions, three times; then a person is asked',
    async () => {
      const asking = (n: number) =>
        `{"status":"failed","open_questions":[{"text":"Number ${n}?","category":"architecture","options":["A","B"],"recommended":"B"}]}`;
      const scenario = new ScenarioBuilder().respondsWithText(asking(1));
      for (const n of [2, 3, 4]) scenario.nextInvocation().respondsWithText(asking(n));
      const { at, run, inbox, handle } = place(
        scenario.nextInvocation().writesFile('done.txt', '').respondsWithText(DONE),
      );
      await fermata(['config', 'set', 'hilConfig', 'full'], at);
      expect((await run()).code).toBe(3);
      expect(await inbox()).toMatchObject([{ questions: [{ text: 'Number 4?' }] }]);
      expect(handle.invocations()).toHaveLength(4);
      expect(handle.invocations()[3]?.prompt).toContain('Q: Number 3?\nA: B\n');
      const [asked] = await inbox();
      await fermata(['answer', asked?.id ?? '', 'A'], at);
      expect((await run()).code).toBe(0);
      expect(handle.invocations()[4]?.prompt).toContain('Q: Number 4?\nA: A\n');
    },
  );
});

describe('changes that a run may merge', () => {
  test('LED-10 a dependency that needs approval waits for a person before it is merged', async () => {
    const { at, run, inbox, merged, handle } = place(
      new ScenarioBuilder()
        .writesFile('package.json', ADDED)
        .writesFile('done.txt', '')
        .respondsWithText(DONE),
    );
    await fermata(['config', 'set', 'hilConfig', 'confirm_all'], at);
    expect((await run()).code).toBe(3);
    const [asked] = await inbox();
    expect(asked).toMatchObject({ source: 'approval', questions: [{ category: 'dependency' }] });
    expect(asked?.questions[0]?.verbatim?.[0]?.text).toContain('left-pad');
    expect(merged()).not.toContain('left-pad');
    await fermata(['answer', asked?.id ?? '', 'Approve'], at);
    expect((await run()).code).toBe(0);
    expect(merged()).toContain('left-pad');
    expect(handle.invocations(), 'the work was done once').toHaveLength(1);
    const config = /(\/.+?config\.json) \(/.exec(handle.invocations()[0]?.prompt ?? '')?.[1] ?? '';
    expect(existsSync(config)).toBe(true);
    expect(JSON.parse(readFileSync(config, 'utf8')).autonomy.scopeChanges).toBe(
      'Confirm all changes before proceeding',
    );
  });

  longTest('LED-10 the agent undoes what a person rejects, and gets the reason', async () => {
    const { at, run, inbox, merged, handle } = place(
      new ScenarioBuilder()
        .writesFile('package.json', ADDED)
        .writesFile('done.txt', '')
        .respondsWithText(DONE)
        .nextInvocation()
        .writesFile('package.json', '{"dependencies":{}}')
        .respondsWithText(DONE),
    );
    await fermata(['config', 'set', 'hilConfig', 'confirm_all'], at);
    expect((await run()).code).toBe(3);
    const [asked] = await inbox();
    await fermata(['answer', asked?.id ?? '', 'Reject', '--note', 'Write it yourself'], at);
    expect((await run()).code).toBe(0);
    expect(merged()).not.toContain('left-pad');
    expect(handle.invocations()[1]?.prompt).toMatch(
      /A person rejected this[\s\S]*left-pad[\s\S]*Write it yourself/,
    );
  });

  longTest('LED-10 changes on an agent’s branch are noticed, wherever it left its HEAD', async () => {
    const { at, run, inbox } = place(
      new ScenarioBuilder()
        .writesFile('done.txt', '')
        .runs('git add -A && git commit -q -m first && git tag first')
        .writesFile('package.json', ADDED)
        .runs('git add -A && git commit -q -m second && git checkout -q --detach first')
        .respondsWithText(DONE),
    );
    await fermata(['config', 'set', 'hilConfig', 'confirm_all'], at);
    expect((await run()).code).toBe(3);
    expect((await inbox())[0]?.questions[0]?.verbatim?.[0]?.text).toContain('left-pad');
  });

  longTest(
    'LED-10 an agent that moves the feature branch itself is still noticed, because its work is compared with its start',
    async () => {
      const { at, run, inbox } = place(
        new ScenarioBuilder()
          .writesFile('package.json', ADDED)
          .writesFile('done.txt', '')
          .runs('git add -A && git commit -q -m mine && git update-ref refs/heads/work HEAD')
          .respondsWithText(DONE),
      );
      await fermata(['config', 'set', 'hilConfig', 'confirm_all'], at);
      expect((await run()).code).toBe(3);
      const [asked] = await inbox();
      expect(asked?.questions[0]?.verbatim?.[0]?.text).toContain('left-pad');
    },
  );
});
