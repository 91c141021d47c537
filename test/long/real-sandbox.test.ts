import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { requireSandbox } from '../../src/agents/sandbox/require-sandbox.ts';
import { CLAUDES, CODEX, realCli } from '../agents/clis/real-cli.ts';
import { planRepository } from '../cli/run/support/plan-repository.ts';
import { worktreeIn } from '../cli/run/support/worktree-in.ts';
import { asked } from '../support/asked.ts';
import { fermata, startFermata } from '../support/fermata.ts';
import { keepOnDisk } from '../support/keep-on-disk.ts';
import { startAnthropic } from '../support/model/anthropic.ts';
import { text, toolUse } from '../support/model/anthropic-reply.ts';
import { toolResult } from '../support/model/anthropic-request.ts';
import { claudeHome, codexHome } from '../support/model/cli-home.ts';
import { functionCall, message } from '../support/model/openai-reply.ts';
import { functionOutput } from '../support/model/openai-request.ts';
import { startOpenAi } from '../support/model/openai-responses.ts';

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

function skipWithoutSandbox(skip: (note: string) => never): void {
  try {
    requireSandbox(process.env);
  } catch (error) {
    skip((error as Error).message);
  }
}

/** Seen from a worktree, the ledger is here. The agent calls this too, because it may run the gates. */
const GATE = 'test ! -e ../../../../ledger.db && grep Ahoy greeting.txt';

/** The person lets the CLI write where it keeps its settings and sessions, and nothing else of the home. */
async function expectAsking(agent: string, program: string, env: Record<string, string>) {
  const place = planRepository([{ id: '1', gate: GATE }], env);
  const own = place.at.env?.FERMATA_HOME ?? '';
  mkdirSync(own, { recursive: true });
  writeFileSync(
    join(own, 'config.json'),
    JSON.stringify({ sandbox: { write: ['~/.claude', '~/.claude.json', '~/.codex'] } }),
  );
  const args = ['run', 'plans/shop', '--sandbox', '--wait', '--agent', agent, '--agent-command', program];
  const running = startFermata(args, { ...place.at, limitMs: LONG });
  running.child.stdin?.end();
  const ended = running.ended.then(({ stderr }) => {
    throw new Error(`It ended before it asked: ${stderr}`);
  });
  ended.catch(() => undefined);
  const { id, questions } = await Promise.race([asked(place.at), ended]);
  expect(questions).toMatchObject([{ text: 'Which greeting?' }]);
  await fermata(['answer', id, 'Ahoy'], place.at);
  const { code, stderr } = await running.ended;
  expect(code, stderr).toBe(0);
  expect(place.git('show', 'work:greeting.txt')).toBe('Ahoy');
}

test(
  'BIND-14 the real Claude Code works and asks inside bubblewrap, where the ledger is absent',
  async ({ skip }) => {
    skipWithoutSandbox(skip);
    const program = await realCli(CLAUDES[1], skip);
    const model = await startAnthropic((request, index) => {
      const file_path = join(worktreeIn(request), 'greeting.txt');
      const steps = [
        toolUse('toolu_1', 'AskUserQuestion', { questions: [{ ...question, multiSelect: false }] }),
        toolUse('toolu_2', 'Write', { file_path, content: 'Ahoy\n' }),
        toolUse('toolu_3', 'Bash', { command: GATE, description: 'the gate' }),
      ];
      return steps[index] ?? text(RESULT);
    });
    onTestFinished(async () => void (await model.stop()));
    const home = claudeHome(model.url);
    onTestFinished(() => home.remove());
    await expectAsking('claude', program, home.env);
    expect(toolResult(model.requests, 'toolu_3')).toMatchObject({ isError: false });
  },
  LONG,
);

test(
  'BIND-14 the real Codex works and asks inside bubblewrap, where the ledger is absent',
  async ({ skip }) => {
    skipWithoutSandbox(skip);
    const program = await realCli(CODEX, skip);
    const escalated = { sandbox_permissions: 'require_escalated', justification: 'It is the gate.' };
    const model = await startOpenAi([
      functionCall('call_1', 'ask_human', { questions: [question] }),
      functionCall('call_2', 'exec_command', { cmd: 'echo Ahoy > greeting.txt' }),
      functionCall('call_3', 'exec_command', { cmd: GATE, ...escalated }),
      message(RESULT),
    ]);
    onTestFinished(() => model.stop());
    const home = codexHome(model.url);
    onTestFinished(() => home.remove());
    await expectAsking('codex', program, home.env);
    expect(functionOutput(model.requests, 'call_3')).toContain('Ahoy');
  },
  LONG,
);
