import { rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fermata, freshFolder, startFermata } from '../support/fermata.ts';
import { freshDatabase, postgresMissing } from '../support/fresh-database.ts';
import { longTest } from '../support/long-test.ts';
import {
  call,
  openGate,
  type PlanProject,
  planFiles,
  planProject,
  read,
  told,
  wait,
} from '../work/support/plan-project.ts';
import { sh, write } from '../work/support/repository.ts';

const gate = ['plan', 'block-prompt-testing-gate', '1'];

async function started(front = 'requires_manual_testing: true'): Promise<PlanProject> {
  const main = planProject([{ id: '1', front }]);
  await call(main, 'plan', 'start-prompt', '1', '--specialist', 'be');
  return main;
}

async function shows(path: string, pattern: RegExp): Promise<string> {
  for (;;) {
    const text = read(path);
    if (text !== undefined && pattern.test(text)) return text;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('human gates', () => {
  test('GATE-3 a timeout is not an approval: the gate stays open, with exit code 3', async () => {
    const at = await started();
    const result = await call(at, ...gate, '--timeout', '0.3');
    expect(result).toMatchObject({ code: 3, status: 'error', error: { type: 'timed_out' } });
    expect(result.data.file).toMatch(/gates\/shop-1-testing-0\.yaml$/);
    expect((await call(at, 'plan', 'complete-prompt', '1')).error?.type).toBe('human_gates_open');
    expect(await openGate(at)).toMatchObject({ id: result.data.notification });
    expect((await call(at, 'plan', 'status')).data.phases).toMatchObject([{ status: 'awaiting_human' }]);
  });

  longTest(
    'GATE-1 GATE-2 killed while a person writes, the gate resumes with what was written, valid or not',
    async () => {
      const at = await started();
      const first = await wait(at, ...gate);
      const { file } = first.asked.gate;
      first.running.child.kill('SIGKILL');
      await first.ended.catch(() => undefined);
      writeFileSync(file, 'thoughts: my long feedback\npassed: nope\ndone: true\n');
      const second = await wait(at, ...gate);
      expect(second.asked.id).toBe(first.asked.id);
      const text = await shows(file, /^# >> line 4, column 9: passed: write true or false\./);
      expect(text).toContain('thoughts: my long feedback\npassed: nope\ndone: false\n');
      writeFileSync(file, text.replace('passed: nope', 'passed: no').replace('done: false', 'done: true'));
      const answer = { code: 0, data: { passed: false, thoughts: 'my long feedback' } };
      expect(await second.ended).toMatchObject(answer);
      expect(await call(at, ...gate)).toMatchObject(answer);
      expect(read(file)).toMatch(/^# >> Settled at .* by ann \(gate-file\)/);
    },
  );

  test('GATE-1 if it was answered elsewhere while nobody waited, it returns that answer at once; an agent cannot answer it', async () => {
    const at = await started();
    const { data } = await call(at, ...gate, '--timeout', '0.2');
    const asAgent = { ...at, env: { ...at.env, FERMATA_AGENT: 'be', FERMATA_TASK: 'shop/1' } };
    const refused = await fermata(['answer', data.notification, 'passed', 'skip', 'skip', 'skip'], asAgent);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('An agent may ask but not answer'),
    });
    const wrong = await fermata(['answer', data.notification, 'maybe', 'skip', 'skip', 'skip'], at);
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Answer with passed or changes'),
    });
    const wordless = await fermata(['answer', data.notification, 'changes'], at);
    expect(wordless).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`fermata answer ${data.notification} changes "WORDS"`),
    });
    expect((await fermata(['answer', data.notification, '1', 'fine'], at)).code).toBe(0);
    expect(await call(asAgent, ...gate)).toMatchObject({ code: 0, data: { passed: true, thoughts: 'fine' } });
    expect((await call(at, 'plan', 'complete-prompt', '1')).error?.type).toBe('gates_failed');
  });

  test('CMD-9 GATE-1 the file counts as a person’s answer, even if an agent waits', async () => {
    const main = await started('debug: true');
    const at = { ...main, env: { ...main.env, FERMATA_AGENT: 'be', FERMATA_TASK: 'shop/1' } };
    const { ended, asked } = await wait(at, 'plan', 'block-debugging-logging-gate', '1');
    writeFileSync(asked.gate.file, 'logs: |\n  DBG x=1\n  DBG x=2\ndone: true\n');
    expect(await ended).toMatchObject({ code: 0, data: { thoughts: '', logs: 'DBG x=1\nDBG x=2' } });
    const { stdout } = await fermata(['events', '--json'], main);
    expect(stdout).toContain('"by":{"actor":{"kind":"person","name":"ann"},"channel":"gate-file"}');
  });

  longTest(
    'CLI-EXIT-130 interrupted, it stays open; dismissed, it is refused with the reason and then asked again',
    async () => {
      const at = await started();
      const first = await wait(at, ...gate);
      first.running.child.kill('SIGINT');
      expect(await first.ended).toMatchObject({ code: 130, error: { type: 'interrupted' } });
      await fermata(['answer', first.asked.id, '--dismiss', 'not today'], at);
      expect(await call(at, ...gate)).toMatchObject({
        code: 1,
        error: { type: 'declined', message: expect.stringContaining('not today') },
      });
      const next = await call(at, ...gate, '--timeout', '0.2');
      expect(next.data.notification).not.toBe(first.asked.id);
    },
  );

  test('CMD-8 without variants the gate passes at once; several mains and undecided variants are reported in the file', async () => {
    const alone = planProject([{ id: '1' }]);
    expect(await call(alone, 'plan', 'block-prompt-variants-gate', '1')).toMatchObject({
      code: 0,
      data: { variant_solution: 'main', skipped: true },
    });
    const at = planProject([{ id: '5', front: 'variants: [A, B]\ndebug: true' }]);
    for (const variant of ['A', 'B'])
      await call(at, 'plan', 'start-prompt', '5', variant, '--specialist', variant);
    const { ended, asked } = await wait(at, 'plan', 'block-prompt-variants-gate', '5');
    writeFileSync(asked.gate.file, 'A:\n  decision:\nB: {}\ndone: true\n');
    await shows(asked.gate.file, /A: decide on this variant[\s\S]*B: decide on this variant/);
    writeFileSync(asked.gate.file, 'A: main\nB: main\ndone: true\n');
    await shows(asked.gate.file, /A and B are both main/);
    writeFileSync(asked.gate.file, 'A: main\nB: alternative\ndone: true\n');
    expect(await ended).toMatchObject({ code: 0, data: { decisions: { A: 'main', B: 'discard' } } });
    expect((await call(at, 'plan', 'block-prompt-variants-gate', '5', 'B')).data).toMatchObject({
      variant_solution: 'discard',
    });
  });
});

test('GATE-1 a gate whose file cannot be written can still be answered', async () => {
  const at = await started();
  const { data } = await call(at, ...gate, '--timeout', '0.2');
  rmSync(dirname(data.file), { recursive: true });
  writeFileSync(dirname(data.file), 'no folder');
  const running = startFermata(gate, at);
  await new Promise<void>((resolve) => {
    running.child.stderr?.on('data', (text) => /Waiting for a person/.test(String(text)) && resolve());
  });
  expect((await fermata(['answer', data.notification, 'changes', 'Smaller'], at)).code).toBe(0);
  expect(told(await running.ended)).toMatchObject({ code: 0, data: { passed: false } });
});

longTest.skipIf(postgresMissing)('CMD-2 CMD-4 gates work the same on PostgreSQL', async () => {
  const project = planProject([{ id: '1' }, { id: '2' }, { id: '3' }]);
  const at = { ...project, env: { ...project.env, FERMATA_STORE: await freshDatabase() } };
  const starts = ['1', '2', '3'].map((id) => call(at, 'plan', 'start-prompt', id, '--specialist', `a${id}`));
  expect((await Promise.all(starts)).map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(sh(at.cwd, 'diff', '--shortstat')).toBe(' 4 files changed, 6 insertions(+), 6 deletions(-)');
  write(at.cwd, { 'done.txt': '' });
  await call(at, 'plan', 'record-implementation', '1', '--walkthrough', 'w');
  expect(await call(at, 'plan', 'complete-prompt', '1')).toMatchObject({
    code: 0,
    data: { completed: true },
  });
});

describe('CMD-2 CLI-tasks two processes start the same phase', () => {
  test('one of them gets it, the other learns who has it, and only a person can free it', async () => {
    const at = planProject([{ id: '1' }]);
    const ends = ['one', 'two'].map((name) => {
      const running = startFermata(['plan', 'start-prompt', '1', '--specialist', name], at);
      running.child.stdin?.end();
      return running.ended.then(told);
    });
    const results = await Promise.all(ends);
    expect(results.map(({ code }) => code).sort()).toEqual([0, 1]);
    const [winner] = results.filter(({ code }) => code === 0);
    expect(results.find(({ code }) => code === 1)?.error).toMatchObject({
      type: 'held',
      message: expect.stringContaining(`${winner?.data.holder} holds`),
    });
    const asAgent = { ...at, env: { ...at.env, FERMATA_AGENT: 'two' } };
    for (const verb of ['release', 'close']) {
      expect(await fermata(['tasks', verb, 'shop/1'], asAgent)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/an agent may not/i),
      });
    }
    expect((await fermata(['tasks', 'release', 'shop/1'], at)).code).toBe(0);
    expect(await call(at, 'plan', 'start-prompt', '1', '--specialist', 'three')).toMatchObject({ code: 0 });
  });
});

describe('mistakes of an agent', () => {
  const at = planProject([{ id: '1' }]);
  test.each([
    [['read-prompt', '9'], 'not_found'],
    [['read-prompt'], 'invalid'],
    [['read-prompt', '../../etc/passwd'], 'invalid_number'],
    [['read-prompt', '1', '--plan', '../nowhere'], 'not_found'],
    [['start-prompt', '1', '--nonsense'], 'invalid'],
    [['record-implementation', '1'], 'missing_walkthrough'],
    [['record-implementation', '1', '--walkthrough', 'w', '--iteration', '2'], 'missing_refinement_reason'],
    [['record-implementation', '1', '--walkthrough', 'w'], 'not_started'],
    [['complete-prompt', '1'], 'not_started'],
    [['block-prompt-testing-gate', '1', '--timeout', 'soon'], 'invalid'],
    [['next', '-n', '0'], 'invalid'],
  ])('CMD-1 CMD-16 plan %j prints one JSON object of type %s and exits with 1', async (args, type) => {
    const result = told(await fermata(['plan', ...args], at));
    expect(result).toMatchObject({ code: 1, status: 'error', error: { type } });
    expect(result.error?.message).not.toBe('');
  });

  test('outside of a repository a plan works, too', async () => {
    const cwd = freshFolder('no repository');
    write(cwd, planFiles([{ id: '1' }], 'shop'));
    const here = { ...at, cwd };
    expect(await call(here, 'plan', 'start-prompt', '1', '--specialist', 'be')).toMatchObject({
      code: 0,
      data: { worktree: { branch: null } },
    });
    write(cwd, { 'done.txt': '' });
    expect(await call(here, 'plan', 'complete-prompt', '1')).toMatchObject({
      code: 0,
      data: { completed: true },
    });
  });
});
