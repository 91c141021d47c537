import { isReadWithin } from '../../../agents/is-read-within.ts';
import { rolePrompt } from '../../../agents/roles/prompt.ts';
import type { RoleAnswer } from '../../../agents/roles/role-answer.ts';
import { agentOf, type RunOptions } from '../../../agents/run/run-options.ts';
import { describeStack, detectStack } from '../../../issues/repository/stack.ts';
import type { By } from '../../../schema/actor.ts';
import { FermataError } from '../../../schema/error.ts';
import type { Run } from '../../../schema/run.ts';
import type { RoleKind, WorkTask } from '../../../schema/work.ts';
import { type AgentTimes, withDefaultTimes } from '../../agent/agent-times.ts';
import {
  type AgentOptions,
  agentOptions,
  chooseAgent,
  continuingAgent,
  refuseUnknownAgent,
  type SaidAgent,
} from '../../agent/choose-agent.ts';
import { type Concern, type Context, holding } from '../../context.ts';
import { holdTask } from '../../run/attend-task.ts';
import { promptContents } from '../../trust/gather.ts';
import { requireAgentTrust, type TrustOptions } from '../../trust/require-trust.ts';
import { type Consulted, consult, roleOf, runsOfRequest, subjectOf } from './consult.ts';

export interface RoleOptions extends TrustOptions, SaidAgent, AgentTimes {
  signal?: AbortSignal;
  /** Whether a worker does it, in its own folder. */
  forWorkers?: boolean;
}

/** A request that has no answer yet. */
export interface Unfinished {
  kind: 'unfinished';
  task: WorkTask<RoleKind>;
  why: Exclude<Consulted<unknown>, { kind: 'ended' }>;
}

/**
 * What a request stores, so that any process can continue it. Refuses an agent that no other process could use. A
 * request from the hub has no agent yet.
 */
export function roleData({ cwd }: Context, options: RoleOptions) {
  refuseUnknownAgent(options);
  return { agent: agentOptions(options), ...(options.forWorkers ? {} : { cwd }) };
}

interface Role<T> {
  read(text: string, run: Run): RoleAnswer<T>;
  /** The values for the role's prompt, as of now. */
  values?(): Record<string, string>;
  basis?(): string;
}

/** Has a role work on a request, and uses its answer. */
export function askRole<T, Done extends { kind: 'done' }>(
  context: Context,
  task: WorkTask<RoleKind>,
  options: RoleOptions,
  role: Role<T>,
  use: (result: T, by: By) => Promise<Done>,
): Promise<Unfinished | Done> {
  const ask = async (signal: AbortSignal): Promise<Unfinished | Done> => {
    const consulted = await consultRole(context, task, { ...options, signal }, role);
    if (consulted.kind !== 'ended') return { kind: 'unfinished', task, why: consulted };
    return use(consulted.result, agentOf({ name: consulted.run.agent }));
  };
  return holdTask(context, task.id, options.signal, ask, ({ kind }) => ({
    result: kind === 'done' ? 'done' : 'waiting',
  }));
}

/**
 * Has a role work on a request until it has an answer. If nobody waits for its questions, it ends when one needs
 * an answer.
 */
async function consultRole<T>(
  context: Context,
  task: WorkTask<RoleKind>,
  options: RoleOptions,
  role: Role<T>,
): Promise<Consulted<T>> {
  const { ledger, settings, ask = {}, report } = context;
  const agent = agentFor(task, options);
  const { cwd: begunIn = context.cwd } = task.input;
  const cwd = context.held ? context.cwd : begunIn;
  const times = withDefaultTimes(options);
  const { driver, setup } = await chooseAgent(context, agent, { cwd, mustAsk: false, ...times });
  const root = settings.project.value.root;
  await requireAgentTrust(context, cwd, options, promptContents(root, [roleOf[task.kind]]));
  const runs = new Set(await runsOfRequest(ledger, task));
  let waits = false;
  const concern: Concern = {
    projectId: task.projectId,
    plan: subjectOf(task),
    // Questions in an answer are reported when this process ends; questions of a running agent, at once.
    concerns: ({ resume }) =>
      resume?.run !== undefined && runs.has(resume.run) && (waits || resume.toolCallId !== undefined),
  };
  waits = (await ask.stays?.(concern)) ?? false;
  const notice = (text: string) => report({ kind: 'notice', text });
  const conducting: RunOptions = {
    ...{ ledger, driver, setup, signal: options.signal, ...holding(context.held) },
    allows: (tool, input) => isReadWithin(cwd, tool, input),
    onRun: (run) => {
      runs.add(run.id);
    },
    onEvent: (event) => {
      if (event.kind === 'notice') notice(event.text);
    },
    onRetry: notice,
  };
  const hilConfig = await ledger.projects.hilConfig(task.projectId);
  const known = `The repository: ${describeStack(detectStack(cwd))}.`;
  const work = () =>
    consult({
      ...{ conducting, task, waits, read: role.read, basis: role.basis },
      prompt: (history) =>
        rolePrompt({
          ...{ role: roleOf[task.kind], root, hilConfig, history },
          values: { input: task.input.text, known, ...role.values?.() },
        }),
    });
  return ask.during ? ask.during(concern, work) : work();
}

/** A session belongs to the agent that began it, but its program and model may change. */
export function agentFor({ id, input }: WorkTask<RoleKind>, options: SaidAgent): AgentOptions {
  const begun = input.agent;
  const agent = continuingAgent(options, begun);
  if (begun === undefined || agent.agent === begun.agent) return agent;
  throw new FermataError(
    'invalid',
    `${id} was started with ${begun.agent}. Leave out --agent ${options.agent}.`,
  );
}
