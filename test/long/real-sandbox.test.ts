import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { CLAUDES, CODEX, type RealCliName, realCli } from '../agents/clis/real-cli.ts';
import { planRepository } from '../cli/run/support/plan-repository.ts';
import { asked } from '../support/asked.ts';
import { spawnFermata, startFermata } from '../support/fermata.ts';
import { keepOnDisk } from '../support/keep-on-disk.ts';
import { startAnthropic } from '../support/model/anthropic.ts';
import { text, toolUse } from '../support/model/anthropic-reply.ts';
import { toolResult } from '../support/model/anthropic-request.ts';
import { type CliHome, claudeHome, codexHome } from '../support/model/cli-home.ts';
import { functionCall, message } from '../support/model/openai-reply.ts';
import { functionOutput } from '../support/model/openai-request.ts';
import { startOpenAi } from '../support/model/openai-responses.ts';
import { type Account, giveAll } from '../support/postgres-account.ts';
import { eachUser, skipWithoutSandbox } from '../support/sandbox.ts';

keepOnDisk();

const LONG = 240_000;
const RESULT = '{"status":"success","summary":"Greeted."}';
const question = {
  question: 'Which greeting?',
  header: 'Greeting',
  options: [
    { label: 'Hello', description: 'plain' },
    { label: 'Ahoy', description: 'for sailors' },
  ],
};

/** Seen from a worktree, the ledger is here. The agent calls this too, because it may run the gates. */
const GATE = 'test ! -e ../../../../ledger.db && grep Ahoy greeting.txt';
/** What a person has to allow, in a sandbox as well. */
const WRITE = 'echo Ahoy > greeting.txt';

/** The CLI, if the account can start it. */
async function cliFor(account: Account, name: RealCliName, skip: (note: string) => never): Promise<string> {
  skipWithoutSandbox(skip);
  const program = await realCli(name, skip);
  const { status } = spawnSync('test', ['-r', program], { ...account, cwd: '/' });
  return status === 0 ? program : skip(`another account cannot enter the folder of ${program}`);
}

/**
 * The phase has a question, a permission and a commit. In a sandbox, the CLI has settings and sessions of its own, in the only
 * folder of the home that it can write to.
 */
async function expectGreeted(account: Account, agent: string, program: string, person: CliHome) {
  const cwd = join(person.cwd, 'shop');
  for (const folder of [cwd, join(person.home, `.${agent}`)]) mkdirSync(folder, { recursive: true });
  const own = join(person.cwd, 'data');
  mkdirSync(own);
  const settings = join(person.home, `.${agent}-sandboxed`);
  cpSync(join(person.home, `.${agent}`), settings, { recursive: true });
  writeFileSync(join(own, 'config.json'), JSON.stringify({ sandbox: { write: [`~/.${agent}-sandboxed`] } }));
  const env = { ...person.env, FERMATA_HOME: own, CLAUDE_CONFIG_DIR: settings, CODEX_HOME: settings };
  const { at, git } = planRepository([{ id: '1', gate: GATE }], env, cwd);
  await (await openLedger(join(own, 'ledger.db'))).close();
  giveAll(dirname(person.cwd), account);
  const args = ['run', 'plans/shop', '--sandbox', '--wait', '--agent', agent, '--agent-command', program];
  const running = startFermata(args, { ...at, account, limitMs: LONG });
  running.child.stdin?.end();
  const early = running.ended.then(({ stderr }) => {
    throw new Error(`It ended before it asked: ${stderr}`);
  });
  early.catch(() => undefined);
  const answer = async (value: string) => {
    const { id, questions } = await Promise.race([asked(at), early]);
    const { code, stderr } = await spawnFermata(['answer', id, value], { ...at, account });
    expect(code, stderr).toBe(0);
    return questions;
  };
  expect(await answer('Ahoy')).toMatchObject([{ text: 'Which greeting?' }]);
  const command = { label: 'command', text: expect.stringContaining(WRITE) };
  expect(await answer('Approve')).toMatchObject([{ verbatim: expect.arrayContaining([command]) }]);
  const { code, stderr } = await running.ended;
  expect(code, stderr).toBe(0);
  const as = (...words: string[]) => git('-c', 'safe.directory=*', ...words);
  expect(as('show', 'work:greeting.txt')).toBe('Ahoy');
  expect(as('log', '--format=%s', '-1', 'work^2')).toBe('Greet');
}

test.for(eachUser)(
  'BIND-14 BIND-18 for $user, the real Claude Code takes a phase with a question, a permission and a commit through a sandbox',
  { timeout: LONG },
  async ({ account }, { skip }) => {
    const program = await cliFor(account, CLAUDES[1], skip);
    const bash = (id: number, command: string) =>
      toolUse(`toolu_${id}`, 'Bash', { command, description: 'a step' });
    const model = await startAnthropic((_, index) => {
      const steps = [
        toolUse('toolu_1', 'AskUserQuestion', { questions: [{ ...question, multiSelect: false }] }),
        bash(2, WRITE),
        bash(3, GATE),
        bash(4, 'git add greeting.txt'),
        bash(5, 'git commit -m "Greet"'),
      ];
      return steps[index] ?? text(RESULT);
    });
    onTestFinished(async () => void (await model.stop()));
    const person = claudeHome(model.url);
    onTestFinished(() => person.remove());
    await expectGreeted(account, 'claude', program, person);
    expect(toolResult(model.requests, 'toolu_3')).toMatchObject({ isError: false });
  },
);

test.for(eachUser)(
  'BIND-14 BIND-18 for $user, the real Codex takes a phase with a question, a permission and a commit through a sandbox',
  { timeout: LONG },
  async ({ account }, { skip }) => {
    const program = await cliFor(account, CODEX, skip);
    const shell = (id: number, cmd: string) => functionCall(`call_${id}`, 'exec_command', { cmd });
    const model = await startOpenAi([
      functionCall('call_1', 'ask_human', { questions: [question] }),
      shell(2, WRITE),
      shell(3, GATE),
      shell(4, 'git add greeting.txt'),
      shell(5, 'git commit -m "Greet"'),
      message(RESULT),
    ]);
    onTestFinished(() => model.stop());
    const person = codexHome(model.url);
    onTestFinished(() => person.remove());
    await expectGreeted(account, 'codex', program, person);
    expect(functionOutput(model.requests, 'call_3')).toContain('Ahoy');
  },
);
