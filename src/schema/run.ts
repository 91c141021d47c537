import * as z from 'zod';
import { limits } from './limits.ts';
import { nameOf } from './name.ts';
import { Source } from './notification.ts';

/**
 * `waiting`: no process holds it; it continues when its questions are settled. `said`: its agent has ended, but what it made
 * is not safe yet.
 */
export const RunStatus = z.enum(['running', 'waiting', 'said', 'ended']);
export type RunStatus = z.infer<typeof RunStatus>;

const tokens = z.number().default(0);

/** What an agent has used so far. */
export const Usage = z.object({
  inputTokens: tokens,
  outputTokens: tokens,
  cacheReadTokens: tokens,
  cacheCreationTokens: tokens,
  costUsd: z.number().optional(),
});
export type Usage = z.infer<typeof Usage>;

/** How a run ended, for people and programs. */
export const RunEnding = z.object({
  /** `ok`: the agent finished what it was asked to do. */
  reason: z.string(),
  message: z.string(),
  exitCode: z.number().nullable().optional(),
  signal: z.string().nullable().optional(),
  usage: Usage.optional(),
  /** What the agent said last. */
  text: z.string(),
  /** The commit with what the agent made. */
  commit: z.string().optional(),
});
export type RunEnding = z.infer<typeof RunEnding>;

/** What the agent of a phase is started for. */
export const Purpose = z.enum(['work', 'fix', 'review', 'refine', 'merge']);
export type Purpose = z.infer<typeof Purpose>;

/** Which agent a person wants. */
export const AgentOptions = z.object({
  agent: z.string(),
  agentCommand: z.string().optional(),
  model: z.string().optional(),
});
export type AgentOptions = z.infer<typeof AgentOptions>;

/** The agent of a phase or another task at work. */
const ForTask = AgentOptions.omit({ agent: true }).extend({
  for: z.literal('task'),
  sandbox: z.boolean().optional(),
  purpose: Purpose,
  /** What it has to fix. */
  findings: z.string().optional(),
  /** For `merge`: the commit that it merges. */
  merges: z.string().optional(),
});

/** Work whose answer Fermata reads: a plan, a role's result, a review. */
const ForAnswer = z.object({
  for: z.literal('answer'),
  /** A hash of what was asked for; the runs of the same task with the same hash are the same work. */
  about: z.string(),
});

/** An agent that a program runs through the library. */
const ForAgent = z.object({ for: z.literal('agent') });

/** A session that a person started in an agent program of their own. */
const ForSession = z.object({
  for: z.literal('session'),
  /** The file in which the program records it. */
  transcript: z.string(),
  /** Where the program takes messages while it runs. */
  socket: z.string().optional(),
  attended: z.boolean(),
  branch: z.string().optional(),
  state: z.enum(['working', 'idle']),
});

/** Recorded by another program, which may store anything. */
const ForOther = z.looseObject({ for: z.literal('other') });

/** What an agent is started for, and what the next process needs to continue. */
export const RunWork = z.discriminatedUnion('for', [ForTask, ForAnswer, ForAgent, ForSession, ForOther]);
export type RunWork = z.infer<typeof RunWork>;

/** What became of an agent's answer. `findings` say what was wrong with it, in a format that depends on the work. */
export const RunJudgement = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accepted') }),
  z.object({ kind: z.literal('sent_back'), findings: z.unknown() }),
  z.object({ kind: z.literal('given_up'), findings: z.unknown() }),
]);
export type RunJudgement = z.infer<typeof RunJudgement>;

/** What every run keeps, whatever it is for. */
export const RunProgress = z.object({
  prompt: z.string().optional(),
  /** The life of the agent, and the earlier life whose last answers it started with. */
  life: z.string().optional(),
  continues: z.string().optional(),
  /** How often the agent asked questions. */
  rounds: z.number().int().optional(),
  /** What its processes used until it began to wait. */
  used: Usage.optional(),
  /** Where the session of its agent is: the id of a home folder on some machine. */
  home: z.string().optional(),
  /** A hash of what its answer is based on. */
  basis: z.string().optional(),
  judgement: RunJudgement.optional(),
});
export type RunProgress = z.infer<typeof RunProgress>;

export const OtherRunData = ForOther.extend(RunProgress.shape);

export const SessionData = ForSession.extend(RunProgress.shape);
export type SessionData = z.infer<typeof SessionData>;

export const RunData = z.discriminatedUnion('for', [
  ForTask.extend(RunProgress.shape),
  ForAnswer.extend(RunProgress.shape),
  ForAgent.extend(RunProgress.shape),
  SessionData,
  OtherRunData,
]);
export type RunData = z.infer<typeof RunData>;

/** One agent at work for one asker, over any number of processes and crashes. */
export const Run = z.object({
  id: z.string(),
  projectId: z.string(),
  agent: z.string(),
  /** The task that it is for; null for a program that records its own runs. */
  taskId: z.string().nullable(),
  source: Source,
  sourceId: z.string(),
  cwd: z.string(),
  status: RunStatus,
  sessionId: z.string().nullable(),
  data: RunData,
  /** How its agent ended; null before that. */
  end: RunEnding.nullable(),
  /** The process that holds it; null if none does. */
  holder: z.string().nullable(),
  leaseUntil: z.string().nullable(),
  /** Goes up each time a process takes the run; a write with an older number is refused. */
  fence: z.number().int(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
});
export type Run = z.infer<typeof Run>;

/** What an agent did in a run, as people see it. */
export const RunStep = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string() }),
  z.strictObject({ kind: z.literal('tool'), tool: z.string() }),
  z.strictObject({ kind: z.literal('usage'), usage: z.record(z.string(), z.number()) }),
]);
export type RunStep = z.infer<typeof RunStep>;

export const RunInput = z.strictObject({
  projectId: z.string(),
  agent: nameOf(limits.id),
  source: Source,
  taskId: z.string().min(1).max(limits.id).nullable().optional(),
  sourceId: z.string().min(1).max(limits.id),
  cwd: z.string().max(4096),
  data: RunData,
});
export type RunInput = z.infer<typeof RunInput>;
