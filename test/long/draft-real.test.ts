import { readFileSync } from 'node:fs';
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
import { asked, inbox, untilLedger } from '../support/asked.ts';
import { fermata, startFermata } from '../support/fermata.ts';
import { startAnthropic } from '../support/model/anthropic.ts';
import { text, toolUse } from '../support/model/anthropic-reply.ts';
import { toolResult } from '../support/model/anthropic-request.ts';
import { type CliHome, claudeHome, codexHome } from '../support/model/cli-home.ts';
import { functionCall, message } from '../support/model/openai-reply.ts';
import { startOpenAi } from '../support/model/openai-responses.ts';

const options = [
  { label: 'SQLite', description: 'a file' },
  { label: 'PostgreSQL', description: 'a server' },
];
const question = { question: 'Which database?', header: 'Database', multiSelect: false, options };

interface RealAgent {
  name: RealCliName;
  agent: string;
  start(): Promise<{ url: string; requests: readonly unknown[]; strays: unknown; stop(): unknown }>;
  home(url: string): CliHome;
}

const agents: RealAgent[] = [
  ...CLAUDE_IN_LONG.map((name) => ({
    name,
    agent: 'claude',
    start: () =>
      startAnthropic([toolUse('toolu_ask', 'AskUserQuestion', { questions: [question] }), text(PLAN)]),
    home: claudeHome,
  })),
  ...CODEX_IN_LONG.map((name) => ({
    name,
    agent: 'codex',
    start: () =>
      startOpenAi([functionCall('call_ask', 'ask_human', { questions: [question] }), message(PLAN)]),
    home: codexHome,
  })),
];

describe.each(agents)('DRV-7 ADP-2 fermata draft with the real $name', ({ name, agent, start, home }) => {
  it('survives kill -9 of everything with a question open: the answer brings it back, and the plan is written', async ({
    skip,
  }) => {
    const program = await realCli(name, skip);
    const model = await start();
    onTestFinished(async () => void (await model.stop()));
    const place = home(model.url);
    onTestFinished(() => place.remove());
    const at = {
      cwd: place.cwd,
      env: { ...place.env, FERMATA_HOME: join(place.home, 'fermata') },
      limitMs: 60_000,
    };
    const first = startFermata(
      ['draft', 'A shop', '--adaptive', '--agent', agent, '--agent-command', program],
      at,
    );
    first.child.stdin?.end();
    const open = await asked(at);
    expect(open).toMatchObject({
      source: 'plan',
      questions: [{ text: 'Which database?' }],
      resume: { agent },
    });
    first.child.kill('SIGKILL');
    await first.ended;
    expect(await inbox(at), 'the question outlives the one who asked').toHaveLength(1);
    expect((await fermata(['answer', open.id, 'PostgreSQL'], at)).code).toBe(0);

    const resumed = await fermata(['draft', '--resume', '--json'], at);
    expect(resumed).toMatchObject({ code: 0 });
    expect(readFileSync(join(JSON.parse(resumed.stdout).output, 'MASTER_PLAN.md'), 'utf8')).toContain('Shop');
    expect(JSON.stringify(model.requests.at(-1)), 'the model has question and answer').toMatch(
      /Which database\?[\s\S]*PostgreSQL/,
    );
    expect(model.strays).toEqual([]);
  });
});

describe.each(CLAUDE_NOW)('DRV-4 the fall-back through our MCP server with the real %s', (name) => {
  it('HEAR-10 a question of the draft reaches the person, the answer the model, and the plan is written', async ({
    skip,
  }) => {
    const program = await realCli(name, skip);
    const model = await startAnthropic([
      toolUse('toolu_ask', 'AskUserQuestion', { questions: [question] }),
      text(PLAN),
    ]);
    onTestFinished(() => model.stop());
    const place = claudeHome(model.url);
    onTestFinished(() => place.remove());
    const at = {
      cwd: place.cwd,
      env: { ...place.env, FERMATA_HOME: join(place.home, 'fermata') },
      limitMs: 60_000,
    };
    const args = [
      'draft',
      'A shop',
      '--adaptive',
      '--agent',
      'claude-mcp',
      '--agent-command',
      program,
      '--json',
    ];
    const running = startFermata(args, at);
    running.child.stdin?.end();
    const open = await untilLedger(at, async () => (await inbox(at, '--all'))[0]);
    expect(open).toMatchObject({
      source: 'plan',
      sourceId: 'a-shop',
      questions: [{ text: 'Which database?' }],
      resume: { toolCallId: 'toolu_ask' },
    });
    expect((await fermata(['answer', open.id, 'SQLite'], at)).code).toBe(0);
    const { code, stderr } = await running.ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(toolResult(model.requests, 'toolu_ask')).toMatchObject({
      text: expect.stringContaining('SQLite'),
      isError: false,
    });
  });
});

describe.each(CLAUDE_IN_LONG)('ADP-4 fermata draft with the real %s', (name) => {
  it('after a plan fails the audit, the next attempt gets the findings, and its plan is written', async ({
    skip,
  }) => {
    const program = await realCli(name, skip);
    const model = await startAnthropic([text(BAD_PLAN), text(PLAN)]);
    onTestFinished(() => model.stop());
    const place = claudeHome(model.url);
    onTestFinished(() => place.remove());
    const at = {
      cwd: place.cwd,
      env: { ...place.env, FERMATA_HOME: join(place.home, 'fermata') },
      limitMs: 60_000,
    };
    const { code, stdout } = await fermata(['draft', 'A shop', '--agent-command', program, '--json'], at);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ audited: true, iterations: 2 });
    expect(JSON.stringify(model.requests.at(-1))).toContain('- [error] MISSING_GATES: Phase 1 has no gates');
  });
});
