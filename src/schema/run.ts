import * as z from 'zod';
import { limits } from './limits.ts';
import { Source } from './notification.ts';

/** `waiting`: nobody's process holds it; it goes on when its questions are settled. */
export const RunStatus = z.enum(['running', 'waiting', 'ended']);
export type RunStatus = z.infer<typeof RunStatus>;

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
  /** What the command that started it needs to go on with it. */
  data: z.record(z.string(), z.unknown()),
  /** How it ended, for people and programs; null while it has not. */
  end: z.record(z.string(), z.unknown()).nullable(),
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
  data: z.record(z.string(), z.unknown()),
});
export type RunInput = z.infer<typeof RunInput>;
