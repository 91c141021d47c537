import { findProgram } from '../../agents/process/program.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Context } from '../context.ts';
import {
  type ChosenReviewer,
  chooseReviewer,
  headOf,
  type NamedAgent,
  reviewers,
} from '../review/choose-reviewer.ts';
import type { Reviewer } from '../review/review-work.ts';
import { withDefaultTimes } from './agent-times.ts';
import {
  type AgentOptions,
  agentOfRun,
  agentOptions,
  chooseAgent,
  refuseUnknownAgent,
} from './choose-agent.ts';

/** The task whose work is reviewed. */
interface Reviewed {
  ledger: Ledger;
  projectId: string;
  taskId: string;
  cwd: string;
}

/** The agent that reviews a phase: the named one, or any available one. */
export async function reviewerFor(
  context: Pick<Context, 'settings' | 'env'>,
  reviewed: Reviewed,
  said: Partial<AgentOptions>,
  timeoutMs: number,
): Promise<Pick<Reviewer, 'driver' | 'setup' | 'head'>> {
  const chosen = await reviewerHere(context, reviewed, said);
  const { driver, setup } = await chooseAgent(context, asDriver(chosen), {
    cwd: reviewed.cwd,
    mustAsk: false,
    timeoutMs,
    parkAfterMs: withDefaultTimes({}).parkAfterMs,
  });
  const identity = { ...setup.identity, ...(chosen.agent === 'gemini' ? geminiKeys(context.env) : {}) };
  return { driver, setup: (cwd) => ({ ...setup, cwd, identity }), head: chosen.head };
}

/** Which agent reviews here. */
export async function reviewerHere(
  context: Pick<Context, 'settings' | 'env'>,
  reviewed: Reviewed,
  said: Partial<AgentOptions>,
): Promise<ChosenReviewer> {
  const author = await authorOf(reviewed, context.env);
  return named(said, author) ?? firstInstalled(context, reviewed.cwd, said, author);
}

/** Who will probably review the work of this agent here, in a sentence that a person sees before the work begins. */
export function reviewerNote(
  { settings, env }: Pick<Context, 'settings' | 'env'>,
  cwd: string,
  author: NamedAgent,
): string {
  const installed = reviewers.filter((name) => findProgram(name, env, cwd));
  const chosen = chooseReviewer(settings.config.reviewer, author, installed);
  const how = 'Choose another with "reviewer" in fermata.config.json, or none with --no-review.';
  return `${chosen?.agent ?? 'Nobody'} reviews what needs a review, before it is merged. ${how}`;
}

/** The same for a worker: preferably an agent that a running worker has. */
export async function reviewerForWorkers(
  { env, configured }: Pick<Context, 'env'> & { configured: NamedAgent | undefined },
  reviewed: Omit<Reviewed, 'cwd'>,
  said: Partial<AgentOptions>,
): Promise<AgentOptions> {
  const author = await authorOf(reviewed, env);
  const abilities = (await reviewed.ledger.workers.list()).flatMap((worker) => worker.abilities);
  const there = reviewers.filter((name) => abilities.includes(name));
  const chosen: NamedAgent = named(said, author) ??
    chooseReviewer(configured, author, there) ?? { agent: reviewers[0] };
  const agent = agentOptions({ ...chosen, model: said.model ?? chosen.model });
  refuseUnknownAgent(asDriver(agent));
  return agent;
}

function named({ agent, agentCommand, model }: Partial<AgentOptions>, author: NamedAgent | undefined) {
  if (agent === undefined && agentCommand === undefined) return undefined;
  const name = agent ?? 'command';
  return { agent: name, agentCommand, model, head: headOf(name, author) };
}

function firstInstalled(
  { settings, env }: Pick<Context, 'settings' | 'env'>,
  cwd: string,
  { model }: Partial<AgentOptions>,
  author: NamedAgent | undefined,
): ChosenReviewer {
  const installed = reviewers.filter((name) => findProgram(name, env, cwd));
  const chosen = chooseReviewer(settings.config.reviewer, author, installed);
  if (chosen) return { ...chosen, model: model ?? chosen.model };
  throw new Refusal(
    'no_reviewer',
    `No reviewer is installed. These agents can review: ${reviewers.join(', ')}.`,
    {
      suggestion: 'Install one, or pass a program with --agent-command.',
      code: 'no_agent',
    },
  );
}

/** The last agent that worked on it; otherwise the caller, if that is an agent. */
async function authorOf(
  { ledger, projectId, taskId }: Omit<Reviewed, 'cwd'>,
  env: Context['env'],
): Promise<NamedAgent | undefined> {
  const [last] = await ledger.runs.of(projectId, 'execute', taskId);
  if (last) return agentOfRun(last);
  const caller = env.FERMATA_AGENT;
  return caller && reviewers.some((name) => name === caller) ? { agent: caller } : undefined;
}

/** The Gemini CLI reads a prompt from stdin and prints its answer. */
function asDriver({ agent, agentCommand, model }: NamedAgent): AgentOptions {
  const program = agent === 'gemini' ? (agentCommand ?? 'gemini') : agentCommand;
  return {
    agent: agent === 'gemini' ? 'command' : agent,
    ...(program ? { agentCommand: program } : {}),
    ...(model ? { model } : {}),
  };
}

/** Its own keys and settings, which no other program sees. */
function geminiKeys(env: Context['env']): Record<string, string> {
  const own = Object.entries(env).filter(([name]) => /^(?:GEMINI|GOOGLE)_/.test(name));
  return Object.fromEntries(own.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
