import { onTestFinished } from 'vitest';
import { codexDriver } from '../../../src/agents/codex/driver.ts';
import type { AgentSetup } from '../../../src/agents/driver.ts';
import { resumeRun, startRun } from '../../../src/agents/run/conduct.ts';
import type { RunOptions } from '../../../src/agents/run/run-options.ts';
import { codexHome } from '../../support/model/cli-home.ts';
import { functionCall } from '../../support/model/openai-reply.ts';
import { type OpenAiRequest, userTexts } from '../../support/model/openai-request.ts';
import { startOpenAi } from '../../support/model/openai-responses.ts';
import { type CODEXES, realCli } from '../clis/real-cli.ts';
import { openStage, setupIn } from '../support/stage.ts';

export type CodexName = `codex-${string}`;

/** A real Codex with its scripted model, and a ledger. */
export async function openScene(
  name: (typeof CODEXES)[number],
  script: Parameters<typeof startOpenAi>[0],
  skip: (note: string) => never,
) {
  const program = await realCli(name, skip);
  const model = await startOpenAi(script);
  const home = codexHome(model.url, 0);
  onTestFinished(() => home.remove());
  onTestFinished(() => model.stop());
  const stage = await openStage();
  const { ledger, projectId } = stage;
  const setup = setupIn(home, program);
  const patience = { outage: [], crash: [] };
  const conducting: RunOptions = { ledger, driver: codexDriver, setup, patience };
  const wanted = {
    projectId,
    source: 'plan' as const,
    sourceId: 'x',
    prompt: MAIN,
    work: { for: 'agent' as const },
  };
  const row = (id: string) => ledger.notifications.get(projectId, id);
  return {
    model,
    home,
    stage,
    setup,
    wanted,
    row,
    start: (more: Partial<RunOptions> = {}, limits: Partial<AgentSetup> = {}) =>
      startRun({ ...conducting, setup: { ...setup, ...limits }, ...more }, wanted),
    resume: (runId: string) => resumeRun(conducting, projectId, runId),
  };
}

const MAIN = 'MAIN: plan the project.';

/** Whether the request comes from a sub-agent with these instructions. */
export const isSub = (request: OpenAiRequest, brief: string) =>
  JSON.stringify(request.input).includes(brief) && !userTexts(request).some((text) => text.includes(MAIN));

/** Whether the conversation contains this call of the model. */
export const hasCalled = ({ input }: OpenAiRequest, callId: string) =>
  input.some(({ call_id }) => call_id === callId);

/** Names of tools differ between versions. */
export function spawn(name: CodexName, callId: string, brief: string) {
  return functionCall(callId, 'spawn_agent', { message: brief }, isOld(name) ? undefined : 'multi_agent_v1');
}

export function askAsSub(name: CodexName, callId: string, question: string) {
  const input = { questions: [{ question, options: [{ label: 'Rust' }, { label: 'Zig' }] }] };
  return isOld(name)
    ? functionCall(callId, 'mcp__fermata_run__ask_human', input)
    : functionCall(callId, 'ask_human', input, 'mcp__fermata_run');
}

export const escalated = (callId: string, cmd: string) =>
  functionCall(callId, 'exec_command', {
    cmd,
    sandbox_permissions: 'require_escalated',
    justification: 'It makes a file.',
  });

/** Before tools had namespaces. */
const isOld = (name: CodexName) => ['codex-0.115.0', 'codex-0.132.0'].includes(name);
