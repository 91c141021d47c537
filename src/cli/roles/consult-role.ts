import { isReadWithin } from '../../agents/is-read-within.ts';
import { rolePrompt } from '../../agents/roles/prompt.ts';
import type { RoleAnswer } from '../../agents/roles/role-answer.ts';
import type { RunOptions } from '../../agents/run/run-options.ts';
import {
  type AgentOptions,
  agentGoingOn,
  agentOptions,
  chooseAgent,
  refuseUnknownAgent,
} from '../../app/choose-agent.ts';
import { type Consulted, consult, consultationRuns } from '../../assignments/consult.ts';
import { describeStack, detectStack } from '../../issues/repository/stack.ts';
import type { Consultation, ConsultationData } from '../../schema/consultation.ts';
import { FermataError } from '../../schema/error.ts';
import type { Run } from '../../schema/run.ts';
import { broughtPrompts } from '../../work/trust/gather.ts';
import { timesOf } from '../agents/agent-options.ts';
import { attended } from '../agents/attended.ts';
import { isAtTerminal } from '../at-terminal.ts';
import type { CommandContext } from '../command-context.ts';
import { tell } from '../output.ts';
import { requireAgentTrust } from '../trust/agent-trust.ts';
import type { RoleOptions } from './role-options.ts';

/**
 * What a consultation keeps, so that any process can go on with it; options that no process could go on with are refused.
 * One that came through the hub has no agent yet.
 */
export function roleData(options: RoleOptions): ConsultationData {
  refuseUnknownAgent(options);
  timesOf(options);
  return { agent: agentOptions(options), cwd: process.cwd() };
}

export interface Role<T> {
  read(text: string, run: Run): RoleAnswer<T>;
  /** What the role's prompt names, as it is now. */
  values?(): Record<string, string>;
  basis?(): Record<string, unknown>;
}

/**
 * Lets a role work on a consultation until it has an answer. A person at this terminal is asked its questions; without one
 * it ends where an answer is needed. `interrupted` tells whether Ctrl-C did.
 */
export async function consultRole<T>(
  context: CommandContext,
  consultation: Consultation,
  options: RoleOptions,
  role: Role<T>,
): Promise<{ consulted: Consulted<T>; interrupted: boolean }> {
  const { ledger, settings } = context;
  const agent = agentFor(consultation, options);
  const { cwd = process.cwd() } = consultation.data;
  const { driver, setup } = await chooseAgent(context, agent, {
    cwd,
    mustAsk: false,
    ...timesOf(options),
  });
  const root = settings.project.value.root;
  await requireAgentTrust(context, cwd, options, broughtPrompts(root, [consultation.role]));
  const waits = options.prompt && isAtTerminal();
  const stop = new AbortController();
  const runs = new Set(await consultationRuns(ledger, consultation));
  const conducting: RunOptions = {
    ledger,
    driver,
    setup,
    allows: (tool, input) => isReadWithin(cwd, tool, input),
    signal: stop.signal,
    onRun: (run) => {
      runs.add(run.id);
    },
    onEvent: (event) => {
      if (event.kind === 'notice') tell(event.text);
    },
    onRetry: tell,
  };
  const hilConfig = await ledger.projects.hilConfig(consultation.projectId);
  const known = `The repository: ${describeStack(detectStack(cwd))}.`;
  const consulted = await attended(
    context,
    {
      projectId: consultation.projectId,
      // What an answer asks is told when this process ends; what a living agent asks, at once.
      concerns: ({ resume }) =>
        resume?.run !== undefined && runs.has(resume.run) && (waits || resume.toolCallId !== undefined),
      stop,
      prompt: options.prompt,
    },
    () =>
      consult({
        conducting,
        consultation,
        read: role.read,
        basis: role.basis,
        waits,
        prompt: (history) =>
          rolePrompt({
            role: consultation.role,
            root,
            hilConfig,
            history,
            values: { input: consultation.text, known, ...role.values?.() },
          }),
      }),
  );
  return { consulted, interrupted: stop.signal.aborted };
}

/** A session belongs to the agent that began it; its program and model may be others from now on. */
function agentFor({ id, data }: Consultation, options: RoleOptions): AgentOptions {
  const begun = data.agent;
  const agent = agentGoingOn(options, begun);
  if (begun === undefined || agent.agent === begun.agent) return agent;
  throw new FermataError(
    'invalid',
    `${id} was started with ${begun.agent}. Leave out --agent ${options.agent}.`,
  );
}
