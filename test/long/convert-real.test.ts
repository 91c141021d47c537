import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  CLAUDE_IN_LONG,
  CLAUDE_NOW,
  CODEX_IN_LONG,
  type RealCliName,
  realCli,
} from '../agents/clis/real-cli.ts';
import { BAD_PLAN, PLAN } from '../plan/convert/support/plans.ts';
import { fermata, startFermata } from '../support/fermata.ts';
import { startAnthropic } from '../support/model/anthropic.ts';
import { text, toolUse } from '../support/model/anthropic-reply.ts';
import { type CliHome, claudeHome, codexHome } from '../support/model/cli-home.ts';
import { message } from '../support/model/openai-reply.ts';
import { startOpenAi } from '../support/model/openai-responses.ts';
import { delay, httpError } from '../support/model/script.ts';
import { processesIn } from '../support/processes.ts';

const SOURCE = '# Shop\n\nA shop with PostgreSQL.\n';

/** A project with one CLI, a source, and a scripted model. */
function place(home: CliHome, agent: string, program: string) {
  onTestFinished(() => home.remove());
  writeFileSync(join(home.cwd, 'shop.md'), SOURCE);
  const at = {
    cwd: home.cwd,
    env: { ...home.env, FERMATA_HOME: join(home.home, 'fermata') },
    limitMs: 60_000,
  };
  const args = ['convert', 'shop.md', '--agent', agent, '--agent-command', program, '--json'];
  return { at, args };
}

const models: {
  name: RealCliName;
  agent: string;
  start(): ReturnType<typeof startAnthropic | typeof startOpenAi>;
  home(url: string): CliHome;
}[] = [
  ...CLAUDE_NOW.map((name) => ({
    name,
    agent: 'claude',
    start: () => startAnthropic([text(BAD_PLAN), text(PLAN)]),
    home: claudeHome,
  })),
  ...CODEX_IN_LONG.map((name) => ({
    name,
    agent: 'codex',
    start: () => startOpenAi([message(BAD_PLAN), message(PLAN)]),
    home: codexHome,
  })),
];

describe.each(models)(
  'DRV-7 CONV-1 CONV-5 fermata convert with the real $name',
  ({ name, agent, start, home }) => {
    it('after a plan fails the audit, a new process gets the findings and writes the plan', async ({
      skip,
    }) => {
      const program = await realCli(name, skip);
      const model = await start();
      onTestFinished(async () => void (await model.stop()));
      const { at, args } = place(home(model.url), agent, program);
      const { code, stdout, stderr } = await fermata(args, at);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      const result = JSON.parse(stdout);
      expect(result).toMatchObject({ success: true, iterations: 2, fidelity: [{ text: 'PostgreSQL' }] });
      expect(result.attempts[1].tokens.input).toBeGreaterThan(0);
      expect(readdirSync(join(at.cwd, 'plans/shop')).sort()).toEqual(['MASTER_PLAN.md', 'phase-1.md']);
      const [first, second] = model.requests.map((request) => JSON.stringify(request));
      expect(first).toContain('A shop with PostgreSQL.');
      expect(first).not.toContain('Previous Attempt Failed Audit');
      expect(second).toContain('- [error] MISSING_GATES: Phase 1 has no gates');
      expect(second, 'stateless: nothing of the first attempt is in the second').not.toContain(
        '# Phase 1: Start',
      );
      if (agent === 'claude') expect(JSON.parse(first ?? '').model).toMatch(/haiku/);
      expect(processesIn(at.cwd)).toEqual([]);
      expect(model.strays).toEqual([]);
    });
  },
);

describe.each(CLAUDE_IN_LONG)('CONV-6 fermata convert with the real %s', (name) => {
  it('asks nobody and allows no changes: the agent continues with what it has', async ({ skip }) => {
    const program = await realCli(name, skip);
    const options = [
      { label: 'A', description: 'a' },
      { label: 'B', description: 'b' },
    ];
    const question = { question: 'Which?', header: 'Which', multiSelect: false, options };
    const model = await startAnthropic([
      toolUse('toolu_ask', 'AskUserQuestion', { questions: [question] }),
      toolUse('toolu_write', 'Write', { file_path: 'evil.txt', content: 'x' }),
      text(PLAN),
    ]);
    onTestFinished(() => model.stop());
    const { at, args } = place(claudeHome(model.url), 'claude', program);
    const { code, stderr } = await fermata(args, at);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.stringify(model.requests.at(-1))).toContain('This run cannot ask anyone');
    expect(existsSync(join(at.cwd, 'evil.txt'))).toBe(false);
  });

  it('a model that refuses, and one that is too slow, each have their error, and leave no process', async ({
    skip,
  }) => {
    const program = await realCli(name, skip);
    const refusing = await startAnthropic([httpError(401, 'authentication_error', 'no such key')]);
    onTestFinished(() => refusing.stop());
    const refused = place(claudeHome(refusing.url), 'claude', program);
    const failed = await fermata(refused.args, refused.at);
    expect({ code: failed.code, error: JSON.parse(failed.stdout).error.code }).toEqual({
      code: 4,
      error: 'api_error',
    });

    const slow = await startAnthropic([delay(60_000, text(PLAN))]);
    onTestFinished(() => slow.stop());
    const late = place(claudeHome(slow.url), 'claude', program);
    const timedOut = await fermata([...late.args, '--timeout', '3'], late.at);
    expect({ code: timedOut.code, error: JSON.parse(timedOut.stdout).error.code }).toEqual({
      code: 4,
      error: 'timed_out',
    });

    const waiting = await startAnthropic([delay(60_000, text(PLAN))]);
    onTestFinished(() => waiting.stop());
    const interrupted = place(claudeHome(waiting.url), 'claude', program);
    const running = startFermata(interrupted.args, interrupted.at);
    running.child.stdin?.end();
    await waiting.request(1);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    for (const { at } of [refused, late, interrupted]) {
      expect(processesIn(at.cwd)).toEqual([]);
      expect(readdirSync(at.cwd)).toEqual(['shop.md']);
    }
  });
});
