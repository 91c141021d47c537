import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ASSUME } from '../../src/agents/questions/answer-text.ts';
import { ScenarioBuilder } from '../../src/testing.ts';
import { BAD_PLAN, PLAN } from '../plan/convert/support/plans.ts';
import { inbox } from '../support/asked.ts';
import { fermata, startFermata } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { processesIn } from '../support/processes.ts';
import { CTRL_C, inTerminal } from '../support/pty.ts';
import { answering, convert, type Place, place, program } from './support/convert-place.ts';

/** A loaded machine needs a while to start so many programs. */
describe('CONV-6 CLI-EXIT-4 an agent that gives no answer', () => {
  const failures: [string, string[] | ((at: Place) => string[]), string, RegExp][] = [
    [
      'is missing',
      ['--agent', 'command', '--agent-command', './none'],
      'missing',
      /Program ".*\/none" not found/,
    ],
    [
      'ends with 1',
      (at) => program(at, 'cat > /dev/null; echo no key >&2; exit 1'),
      'failed',
      /exit code 1.*no key/s,
    ],
    [
      'takes too long',
      (at) => [...program(at, 'sleep 30'), '--timeout', '0.5'],
      'timed_out',
      /for more than 0\.5 s/,
    ],
    ['says nothing', (at) => program(at, 'cat > /dev/null'), 'no_result', /without an answer/],
  ];

  test.each(failures)('that %s has its own error', async (_, given, code, message) => {
    const at = place();
    const args = ['convert', 'shop.md', ...(typeof given === 'function' ? given(at) : given), '--json'];
    const result = await fermata(args, at);
    expect(result.code).toBe(4);
    expect(JSON.parse(result.stdout)).toMatchObject({
      success: false,
      iterations: 1,
      error: { code },
      attempts: [{ iteration: 1, error: { code } }],
    });
    expect(result.stderr).toMatch(message);
    expect(existsSync(join(at.cwd, 'plans'))).toBe(false);
  });

  test('that answers only with whitespace is reported, too', async () => {
    const { code, stdout } = await convert(place([' \n']), '--json');
    expect({ code, error: JSON.parse(stdout).error.code }).toEqual({ code: 4, error: 'no_result' });
  });

  longTest('after an attempt that failed the audit, that attempt is kept', async () => {
    const scenario = answering([BAD_PLAN]).nextInvocation().exits(1).nextInvocation().exits(1);
    const { code, stdout } = await convert(place(scenario), '--json');
    const result = JSON.parse(stdout);
    expect({ code, ...result }).toMatchObject({ code: 4, iterations: 2, error: { code: 'crashed' } });
    expect(readdirSync(result.kept).sort()).toEqual(['MASTER_PLAN.md', 'phase-1.md']);
  });

  test('HEAR-5 that dies is resumed in its session, reported once; if it dies again, the same command resumes it', async () => {
    const at = place(
      new ScenarioBuilder()
        .withSessionId('s-1')
        .crashes()
        .nextInvocation()
        .crashes()
        .nextInvocation()
        .respondsWithText(PLAN),
    );
    const cut = await convert(at);
    expect(cut.code).toBe(4);
    expect(cut.stderr).toMatch(/The session is kept; Fermata will retry\.\n/);
    expect(cut.stderr).toContain('Run the same command again to resume.');
    const { code, stderr } = await convert(at);
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Resuming at attempt 1/),
    });
    expect(at.handle.invocations().map(({ resumed }) => resumed)).toEqual([undefined, 's-1', 's-1']);
  });

  test('that asks is told to assume, and one that wants to change something is refused', async () => {
    const at = place(
      new ScenarioBuilder()
        .asksQuestions(['Which shop?'])
        .asksPermission('Bash', { command: 'rm -rf .' })
        .respondsWithText(PLAN),
    );
    expect((await convert(at)).code).toBe(0);
    expect((await fermata(['inbox', '--all', '--json'], at)).stdout, 'nobody was asked').toContain('[]');
  });

  test('SEED-5 that asks what a person decided before gets that answer, and is told to assume the rest', async () => {
    const scenario = new ScenarioBuilder().asksQuestions(['Which database?', 'Which colour?']);
    const at = place(scenario.respondsWithText(PLAN));
    expect((await fermata(['ask', 'Which database?', '--timeout', '0.1'], at)).code).toBe(3);
    const [open] = await inbox(at);
    expect((await fermata(['answer', open?.id ?? '', 'PostgreSQL'], at)).code).toBe(0);
    expect((await convert(at)).code).toBe(0);
    expect(at.handle.answers().map(({ answer }) => answer)).toEqual(['PostgreSQL', ASSUME]);
  });
});

describe('CONV-6 CLI-EXIT-130 Ctrl-C', () => {
  longTest('leaves no process and no file, and says so', async () => {
    const at = place();
    const args = program(at, 'echo $$ > pid; sleep 30 & wait');
    const terminal = inTerminal(['convert', 'shop.md', ...args], at);
    await terminal.shows(/Attempt 1 of 3/);
    await appears(join(at.cwd, 'pid'));
    terminal.type(CTRL_C);
    await terminal.shows(/Interrupted/);
    expect(await terminal.ended).toBe(130);
    expect(processesIn(at.cwd), 'the agent is gone, with what it started').toEqual([]);
    expect(readdirSync(at.cwd).sort()).toEqual(['agent.sh', 'pid', 'shop.md']);
  });

  test('a signal does the same, in JSON', async () => {
    const at = place();
    const args = program(at, 'echo $$ > pid; exec sleep 30');
    const running = startFermata(['convert', 'shop.md', ...args, '--json'], at);
    await appears(join(at.cwd, 'pid'));
    running.child.kill('SIGTERM');
    const { code, stdout } = await running.ended;
    expect({ code, error: JSON.parse(stdout).error.code }).toEqual({ code: 130, error: 'interrupted' });
  });
});

/** Waits until a file has a whole line. */
async function appears(path: string): Promise<void> {
  await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8').endsWith('\n')).toBe(true);
}
