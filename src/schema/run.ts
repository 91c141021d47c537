import * as z from 'zod';
import { limits } from './limits.ts';
import { Source } from './notification.ts';

/** `waiting`: nobody's process holds it; it goes on when its questions are settled. */
export const RunStatus = z.enum(['running', 'waiting', 'ended']);
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
  text: z.string().default(''),
});
export type RunEnding = z.infer<typeof RunEnding>;

/** What the agent of a phase is sent out for. */
export const Purpose = z.enum(['work', 'fix', 'review', 'refine', 'merge']);
export type Purpose = z.infer<typeof Purpose>;

/** What the command that started a run needs to go on with it: what all runs have, then what some commands keep. */
export const RunData = z.looseObject({
  prompt: z.string().optional(),
  /** The life of the agent, and the one whose last questions it was sent out with the answers to. */
  life: z.string().optional(),
  continues: z.string().optional(),
  /** How often the agent came with questions. */
  rounds: z.number().int().optional(),
  /** Where the session of its agent lives: a machine and a home on it. */
  home: z.string().optional(),
  command: z.string().optional(),
  /** Of `run`: how the agent was chosen, and why it was sent out. */
  agentCommand: z.string().optional(),
  model: z.string().optional(),
  sandbox: z.boolean().optional(),
  purpose: Purpose.optional(),
  findings: z.string().optional(),
  /** Of a role: its consultation, whether it repairs its last answer, and a hash of what the answer rests on. */
  consultation: z.string().optional(),
  repair: z.boolean().optional(),
  basis: z.string().optional(),
  /** Of a review: a hash of what is reviewed. */
  about: z.string().optional(),
});
export type RunData = z.infer<typeof RunData>;

/** One agent at work for one asker, over any number of processes and crashes. */
export const Run = z.object({
  id: z.string(),
  projectId: z.string(),
  agent: z.string(),
  source: Source,
  sourceId: z.string(),
  cwd: z.string(),
  status: RunStatus,
  sessionId: z.string().nullable(),
  data: RunData,
  /** Null while it has not ended. */
  end: RunEnding.nullable(),
  /** Which process is at it; null when none is. */
  holder: z.string().nullable(),
  leaseUntil: z.string().nullable(),
  /** Counts takings: a write that carries an older number is refused. */
  fence: z.number().int(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
});
export type Run = z.infer<typeof Run>;

/** What an agent did in a run, as it is shown to those who watch. */
export const RunStep = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string() }),
  z.strictObject({ kind: z.literal('tool'), tool: z.string() }),
  z.strictObject({ kind: z.literal('usage'), usage: z.record(z.string(), z.number()) }),
]);
export type RunStep = z.infer<typeof RunStep>;

export const RunInput = z.strictObject({
  projectId: z.string(),
  agent: z.string().min(1).max(limits.id),
  source: Source,
  sourceId: z.string().min(1).max(limits.id),
  cwd: z.string().max(4096),
  data: RunData,
});
export type RunInput = z.infer<typeof RunInput>;
