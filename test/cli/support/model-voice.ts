import { bash, subAgent } from '../../agents/claude/real-scene.ts';
import type { RealCliName } from '../../agents/clis/real-cli.ts';
import { type CodexName, spawn } from '../../agents/codex/scene.ts';
import { wording as claudeWording } from '../../agents/conformance/adapters/claude.ts';
import { wording as codexWording } from '../../agents/conformance/adapters/codex.ts';
import type { Wording } from '../../agents/conformance/adapters/real-agent.ts';
import { startAnthropic } from '../../support/model/anthropic.ts';
import type { AnthropicReply } from '../../support/model/anthropic-reply.ts';
import type { AnthropicRequest } from '../../support/model/anthropic-request.ts';
import { type CliHome, claudeHome, codexHome } from '../../support/model/cli-home.ts';
import type { ModelServer } from '../../support/model/model-server.ts';
import { functionCall, type OpenAiReply } from '../../support/model/openai-reply.ts';
import type { OpenAiRequest } from '../../support/model/openai-request.ts';
import { startOpenAi } from '../../support/model/openai-responses.ts';
import type { Script } from '../../support/model/script.ts';

/** How an agent program reaches its model, and how the model phrases what a test needs. */
export interface Voice<Request, Reply> extends Pick<Wording<Request, Reply>, 'say' | 'ask' | 'told'> {
  agent: string;
  serve(script: Script<Request, Reply>): Promise<ModelServer<Request>>;
  /** Its program does not retry by itself, because the test is about our retries, not its own. */
  home(url: string): CliHome;
  /** Leaves a command running for a moment. */
  work(callId: string): Reply;
  /** What the outcome of that call says. */
  atWork: string;
  /** Starts a sub-agent with this word. */
  sendOut(callId: string, brief: string): Reply;
}

export const claudeVoice: Voice<AnthropicRequest, AnthropicReply> = {
  ...claudeWording,
  agent: 'claude',
  serve: startAnthropic,
  home(url) {
    const home = claudeHome(url);
    return { ...home, env: { ...home.env, CLAUDE_CODE_MAX_RETRIES: '0' } };
  },
  work: (callId) => bash(callId, 'sleep 2', true),
  atWork: 'running in background',
  sendOut: subAgent,
};

export const codexVoice = (name: CodexName): Voice<OpenAiRequest, OpenAiReply> => ({
  ...codexWording,
  agent: 'codex',
  serve: startOpenAi,
  home: (url) => codexHome(url, 0),
  work: (callId) => functionCall(callId, 'exec_command', { cmd: 'sleep 2', yield_time_ms: 250 }),
  atWork: 'running with session ID',
  sendOut: (callId, brief) => spawn(name, callId, brief),
});

export const isCodex = (name: RealCliName): name is RealCliName & CodexName => name.startsWith('codex');
