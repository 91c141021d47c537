import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claudeDriver } from '../../src/agents/claude/driver.ts';
import type { AgentSetup } from '../../src/agents/driver.ts';
import { follow, settle } from '../agents/claude/stand-in.ts';
import { CLAUDE_NOW, type RealCliName, realCli } from '../agents/clis/real-cli.ts';
import { diskServer } from '../agents/support/disk-server.ts';
import { startAnthropic } from '../support/model/anthropic.ts';
import { type AnthropicReply, text, toolUse } from '../support/model/anthropic-reply.ts';
import { type AnthropicRequest, toolResult } from '../support/model/anthropic-request.ts';
import { claudeHome } from '../support/model/cli-home.ts';
import type { Script } from '../support/model/script.ts';

const HOOK_SAYS = 'This is production.';
const NOTE = 'Only the first file, please.';

describe.each(CLAUDE_NOW)('approvals of the real %s', (name: RealCliName) => {
  it('HEAR-2 HEAR-7 HEAR-8 a person decides about a plan, takes a suggestion, adds notes, sees the reason of a hook, and answers an MCP server that asks without fields, by URL, with a form, or with one that cannot be shown', async ({
    skip,
  }) => {
    const { start, model, home } = await scene(name, skip, [
      toolUse('toolu_enter', 'EnterPlanMode', {}),
      [text('It has one step.'), toolUse('toolu_plan', 'ExitPlanMode', { plan: '1. Move it.' })],
      toolUse('toolu_first', 'Bash', { command: 'touch made a', description: 'make a file' }),
      toolUse('toolu_again', 'Bash', { command: 'touch made b', description: 'make another' }),
      toolUse('toolu_env', 'Bash', { command: 'printenv HOME', description: 'look' }),
      toolUse('toolu_label', 'mcp__disk__label', {}),
      toolUse('toolu_pick', 'mcp__disk__pick', {}),
      toolUse('toolu_wipe', 'mcp__disk__wipe', {}),
      toolUse('toolu_login', 'mcp__disk__login', {}),
      text('Done.'),
    ]);
    settings(home.home, { hooks: { PreToolUse: [hookFor('printenv')] } });
    const { run, event } = start({ args: serverArgs(home.home) });

    const plan = await event('permission', ({ id }) => id === 'toolu_plan');
    expect(plan).toMatchObject({ tool: 'ExitPlanMode', input: { plan: '1. Move it.' } });
    expect(await run.permit(plan.id, true)).toBe(true);

    const first = await event('permission', ({ id }) => id === 'toolu_first');
    expect(first.suggestions).toContainEqual({ id: '0', effect: 'allow `touch made *` for this session' });
    expect(await run.permit(first.id, true, { note: NOTE, suggestion: '0' })).toBe(true);

    const look = await event('permission', ({ id }) => id === 'toolu_env');
    expect(look.reason).toContain(HOOK_SAYS);
    expect(await run.permit(look.id, false, { note: 'Never there.' })).toBe(true);

    const { ask: label } = await event('question');
    expect(label.questions).toMatchObject([
      { id: 'label', text: 'Which label?', context: 'Asked by an MCP server: disk' },
    ]);
    expect(await run.answer(label.id, settle(label, ['blue']))).toBe(true);
    const { ask: pick } = await event('question', (each) => each.ask.id !== label.id);
    expect(pick.questions).toMatchObject([
      { text: expect.stringContaining('cannot show'), options: ['Decline'] },
    ]);
    expect(await run.answer(pick.id, settle(pick, ['Decline']))).toBe(true);
    const wipe = await event('permission', ({ tool }) => tool === 'elicitation');
    expect(wipe).toMatchObject({
      tool: 'elicitation',
      input: { message: 'Really delete everything?', server: 'disk' },
    });
    expect(await run.permit(wipe.id, true)).toBe(true);
    // The older version tells the server that it cannot open URLs.
    if (name !== 'claude-2.1.197') {
      const login = await event('permission', ({ id, tool }) => tool === 'elicitation' && id !== wipe.id);
      expect(login.input).toEqual({
        message: 'Log in',
        address: 'https://example.test/login',
        server: 'disk',
      });
      expect(await run.permit(login.id, false)).toBe(true);
    }

    expect(await run.ended).toMatchObject({ reason: 'ok', text: 'Done.' });
    expect(existsSync(join(home.cwd, 'b')), 'allowed by the suggestion').toBe(true);
    expect(toolResult(model.requests, 'toolu_env')).toEqual({ text: 'Never there.', isError: true });
    expect(JSON.stringify(model.requests[3]?.messages), 'with the result of the tool').toContain(NOTE);
    expect(readdirSync(home.cwd)).toEqual(['a', 'b', 'made']);
    expect(settingsFiles(home.home)).toEqual(['.claude/settings.json']);
    expect(toolResult(model.requests, 'toolu_label')?.text).toBe(
      '{"action":"accept","content":{"label":"blue"}}',
    );
    expect(toolResult(model.requests, 'toolu_pick')?.text).toBe('{"action":"decline"}');
    expect(toolResult(model.requests, 'toolu_wipe')?.text).toBe('{"action":"accept","content":{}}');
    expect(toolResult(model.requests, 'toolu_login')?.text).toMatch(
      name === 'claude-2.1.197' ? /does not support URL/ : /"action":"decline"/,
    );
  });
});

async function scene(
  name: RealCliName,
  skip: (note: string) => never,
  script: Script<AnthropicRequest, AnthropicReply>,
) {
  const program = await realCli(name, skip);
  const model = await startAnthropic(script);
  onTestFinished(() => model.stop());
  const home = claudeHome(model.url);
  onTestFinished(() => home.remove());
  const setup: AgentSetup = { cwd: home.cwd, env: home.env, program, mustAsk: true };
  const start = (more: Partial<AgentSetup> = {}) =>
    follow(claudeDriver().start({ ...setup, ...more }, 'Go.'));
  return { model, home, start };
}

function settings(home: string, content: object): void {
  mkdirSync(join(home, '.claude'), { recursive: true });
  writeFileSync(join(home, '.claude/settings.json'), JSON.stringify(content));
}

const settingsFiles = (home: string) =>
  readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((file) => /settings[\w.]*json$/.test(file));

/** A hook that makes Claude ask about commands with this word. */
function hookFor(word: string): object {
  const decision = {
    hookEventName: 'PreToolUse',
    permissionDecision: 'ask',
    permissionDecisionReason: HOOK_SAYS,
  };
  const says = JSON.stringify({ hookSpecificOutput: decision });
  const command = `grep -q ${word} && echo '${says}' || true`;
  return { matcher: 'Bash', hooks: [{ type: 'command', command }] };
}

function serverArgs(folder: string): string[] {
  const disk = { type: 'stdio', ...diskServer(folder), alwaysLoad: true };
  return ['--mcp-config', JSON.stringify({ mcpServers: { disk } }), '--allowedTools', 'mcp__disk'];
}
