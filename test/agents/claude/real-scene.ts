import { onTestFinished } from 'vitest';
import { claudeDriver } from '../../../src/agents/claude/driver.ts';
import type { ClaudeOptions } from '../../../src/agents/claude/launch.ts';
import type { AgentSetup } from '../../../src/agents/driver.ts';
import { startAnthropic } from '../../support/model/anthropic.ts';
import { type AnthropicReply, toolUse } from '../../support/model/anthropic-reply.ts';
import { type AnthropicRequest, userTexts } from '../../support/model/anthropic-request.ts';
import { claudeHome } from '../../support/model/cli-home.ts';
import type { Script } from '../../support/model/script.ts';
import { type RealCliName, realCli } from '../clis/real-cli.ts';
import { follow, type settle } from './stand-in.ts';

export const ask = (id: string, question: string, ...labels: string[]) => {
  const options = labels.map((label) => ({ label, description: `${label} it is` }));
  return toolUse(id, 'AskUserQuestion', {
    questions: [{ question, header: 'Choice', multiSelect: false, options }],
  });
};

/** A real CLI with its scripted model, and our driver in front of it. */
export async function scene(
  name: RealCliName,
  skip: (note: string) => never,
  script: Script<AnthropicRequest, AnthropicReply>,
  more: Partial<AgentSetup> = {},
  options: Partial<ClaudeOptions> = {},
) {
  const program = await realCli(name, skip);
  const model = await startAnthropic(script);
  onTestFinished(() => model.stop());
  const home = claudeHome(model.url);
  onTestFinished(() => home.remove());
  const setup: AgentSetup = { cwd: home.cwd, env: home.env, program, mustAsk: true, ...more };
  const driver = claudeDriver(options);
  const resume = (
    sessionId: string | undefined,
    toolCallId: string,
    ...settled: ReturnType<typeof settle>[]
  ) => {
    const recipe = { agent: 'claude', sessionId, toolCallId, cwd: home.cwd };
    return follow(driver.resume({ ...setup, cwd: '/' }, recipe, settled));
  };
  return {
    model,
    home,
    setup,
    driver,
    resume,
    start: (prompt: string) => follow(driver.start(setup, prompt)),
  };
}

/** What one thread of the agent does next, given what is in its conversation. */
type Line = AnthropicReply | ((request: AnthropicRequest) => AnthropicReply);

/**
 * A script for several threads at once: each is known by a word in its first message, and plays its own lines, one per
 * request. The thread without a word in its first message is the agent itself.
 */
export function threads(lines: Record<string, Line[]>): Script<AnthropicRequest, AnthropicReply> {
  const at = new Map<string, number>();
  return (request) => {
    const first = request.messages.find(({ role }) => role === 'user');
    const said = (first?.content ?? []).map(({ text = '' }) => text).join('\n');
    const thread = Object.keys(lines).find((word) => word !== 'main' && said.includes(word)) ?? 'main';
    const index = at.get(thread) ?? 0;
    at.set(thread, index + 1);
    const line = lines[thread]?.[index];
    if (line === undefined)
      throw new Error(`${thread} has no line ${index + 1}: ${userTexts(request).at(-1)}`);
    return typeof line === 'function' ? line(request) : line;
  };
}

export const subAgent = (id: string, word: string, run_in_background = true) =>
  toolUse(id, 'Agent', {
    description: `the job of ${word}`,
    prompt: `${word}: do your part.`,
    subagent_type: 'general-purpose',
    run_in_background,
  });

export const bash = (id: string, command: string, run_in_background = false) =>
  toolUse(id, 'Bash', {
    command,
    description: `runs ${id}`,
    ...(run_in_background ? { run_in_background } : {}),
  });
