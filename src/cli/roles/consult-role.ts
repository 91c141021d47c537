import type { Conducting } from '../../agents/conducting.ts';
import { readsInside } from '../../agents/reads-inside.ts';
import { type Consulted, consult, runsOf } from '../../agents/roles/consult.ts';
import { rolePrompt } from '../../agents/roles/prompt.ts';
import type { RoleAnswer } from '../../agents/roles/role-answer.ts';
import { parseMilliseconds } from '../../config/duration.ts';
import { describeStack, detectStack } from '../../planning/repository/stack.ts';
import type { Consultation } from '../../schema/consultation.ts';
import { FermataError } from '../../schema/error.ts';
import type { Run } from '../../schema/run.ts';
import { attended } from '../agents/attended.ts';
import {
  type AgentOptions,
  agentGoingOn,
  agentOptions,
  chooseAgent,
  refuseUnknownAgent,
} from '../agents/choose.ts';
import { isAtTerminal } from '../at-terminal.ts';
import type { Session } from '../session.ts';
import type { RoleOptions } from './role-options.ts';

/**
 * What a consultation keeps, so that any process can go on with it; options that no process could go on with are refused.
 * One that came through the hub has no agent yet.
 */
export function roleData(options: RoleOptions): Record<string, unknown> {
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
  session: Session,
  consultation: Consultation,
  options: RoleOptions,
  role: Role<T>,
): Promise<{ consulted: Consulted<T>; interrupted: boolean }> {
  const { ledger, settings } = session;
  const agent = agentFor(consultation, options);
  const { cwd = process.cwd() } = consultation.data as { cwd?: string };
  const { driver, setup } = await chooseAgent(session, agent, {
    cwd,
    mustAsk: false,
    ...timesOf(options),
  });
  const waits = options.prompt && isAtTerminal();
  const stop = new AbortController();
  const runs = new Set((await runsOf(ledger, consultation)).map(({ id }) => id));
  const conducting: Conducting = {
    ledger,
    driver,
    setup,
    allows: (tool, input) => readsInside(cwd, tool, input),
    signal: stop.signal,
    onRun: (run) => {
      runs.add(run.id);
    },
  };
  const hilConfig = await ledger.projects.hilConfig(consultation.projectId);
  const known = `The repository: ${describeStack(detectStack(cwd))}.`;
  const root = settings.project.value.root;
  const consulted = await attended(
    session,
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

const timesOf = ({ timeout, parkAfter }: RoleOptions) => ({
  timeoutMs: parseMilliseconds(timeout, '--timeout'),
  parkAfterMs: parseMilliseconds(parkAfter, '--park-after'),
});

/** A session belongs to the agent that began it; its program and model may be others from now on. */
function agentFor({ id, data }: Consultation, options: RoleOptions): AgentOptions {
  const begun = data.agent as AgentOptions | undefined;
  const agent = agentGoingOn(options, begun);
  if (begun === undefined || agent.agent === begun.agent) return agent;
  throw new FermataError(
    'invalid',
    `${id} was begun with ${begun.agent}: leave out --agent ${options.agent}.`,
  );
}
