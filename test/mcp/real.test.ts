import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLedger } from '../../src/index.ts';
import { startJsonLines } from '../agents/clis/json-lines.ts';
import { CLAUDE_NOW, CODEX, CODEX_NOW, type RealCliName, realCli } from '../agents/clis/real-cli.ts';
import { BIN, fermata, freshFolder } from '../support/fermata.ts';
import { startAnthropic } from '../support/model/anthropic.ts';
import { text, toolUse } from '../support/model/anthropic-reply.ts';
import { toolResult } from '../support/model/anthropic-request.ts';
import { claudeHome, codexHome } from '../support/model/cli-home.ts';
import { functionCall, message } from '../support/model/openai-reply.ts';
import { functionOutput } from '../support/model/openai-request.ts';
import { startOpenAi } from '../support/model/openai-responses.ts';

const ask = {
  questions: [
    {
      question: 'Which language?',
      header: 'Language',
      multiSelect: false,
      options: [
        { label: 'Rust', description: 'fast' },
        { label: 'Zig', description: 'small' },
      ],
    },
  ],
};

const freshLedger = () => ({ FERMATA_HOME: join(freshFolder(), 'home') });

/** A person answers to what an agent asks. */
async function answer(env: { FERMATA_HOME: string }, value: string) {
  const open = await asked(join(env.FERMATA_HOME, 'ledger.db'));
  expect((await fermata(['answer', open.id, value], { env })).code).toBe(0);
  return open;
}

describe.each(CLAUDE_NOW)('DRV-4 DRV-7 the real %s in plain -p with our MCP server', (name) => {
  it('AskUserQuestion goes through the permission tool, and ask_human waits for a person, though the program says that it shows forms and has nobody to show them to', async ({
    skip,
  }) => {
    const program = await realCli(name, skip);
    const tool = 'mcp__fermata__ask_human';
    const model = await startAnthropic([
      toolUse('toolu_ask', 'AskUserQuestion', ask),
      toolUse('toolu_human', tool, { question: 'Which store?', options: ['Disk', 'Memory'] }),
      text('Zig it is.'),
    ]);
    onTestFinished(() => model.stop());
    const home = claudeHome(model.url);
    onTestFinished(() => home.remove());
    const env = freshLedger();
    const server = { command: process.execPath, args: [BIN, 'mcp'], env };
    const cli = startJsonLines(
      program,
      [
        ...['-p', 'Plan the project.', '--verbose', '--output-format', 'stream-json'],
        ...['--mcp-config', JSON.stringify({ mcpServers: { fermata: server } })],
        ...['--permission-prompt-tool', 'mcp__fermata__permission', '--allowedTools', tool],
      ],
      home,
    );
    const ending = cli.end();
    expect(await answer(env, 'Zig')).toMatchObject({
      resume: { toolCallId: 'toolu_ask' },
      questions: [{ text: 'Which language?' }],
    });
    expect(await answer(env, 'Disk')).toMatchObject({ questions: [{ text: 'Which store?' }] });
    expect(await ending).toEqual({ code: 0, signal: null });
    expect(toolResult(model.requests, 'toolu_ask')).toMatchObject({
      text: expect.stringContaining('"Zig"'),
      isError: false,
    });
    const told = toolResult(model.requests, 'toolu_human');
    expect(told?.isError).toBe(false);
    expect(JSON.parse(told?.text ?? '')).toMatchObject({ answer: 'Disk', outcome: 'answered' });
    expect(model.strays).toEqual([]);
  });
});

describe.each(CODEX_NOW)('DRV-7 CLI-mcp the real %s in exec with our MCP server', (name) => {
  it('ask_human waits for a person, and the model has the answer', async ({ skip }) => {
    const program = await realCli(name, skip);
    const input = { question: 'Which language?', options: ['Rust', 'Zig'] };
    const model = await startOpenAi([callTool(name, 'call_ask', input), message('Zig it is.')]);
    onTestFinished(() => model.stop());
    const home = codexHome(model.url);
    onTestFinished(() => home.remove());
    const env = freshLedger();
    // Without `required`, the first turn may begin before the server is connected.
    const server = { command: process.execPath, args: [BIN, 'mcp'], required: true, tool_timeout_sec: 600 };
    const settings = { ...server, 'env.FERMATA_HOME': env.FERMATA_HOME };
    const given = Object.entries(settings).flatMap(([key, value]) => [
      '-c',
      `mcp_servers.fermata.${key}=${JSON.stringify(value)}`,
    ]);
    const args = ['exec', '--json', '--skip-git-repo-check', ...given, 'Plan the project.'];
    const cli = startJsonLines(program, args, home);
    const ending = cli.end();
    const { questions } = await answer(env, 'Zig');
    expect(await ending).toEqual({ code: 0, signal: null });
    expect(questions).toMatchObject([{ text: 'Which language?' }]);
    expect(functionOutput(model.requests, 'call_ask')).toContain('Zig');
  });
});

/** Older ones have no namespaces for tools. */
const callTool = (name: RealCliName, callId: string, input: object) =>
  name === CODEX
    ? functionCall(callId, 'ask_human', input, 'mcp__fermata')
    : functionCall(callId, 'mcp__fermata__ask_human', input);

async function asked(file: string) {
  const ledger = await openLedger(file);
  try {
    for (;;) {
      const [open] = (await ledger.notifications.list()).notifications;
      if (open) return open;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    await ledger.close();
  }
}
