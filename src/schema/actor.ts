import * as z from 'zod';
import { limits } from './limits.ts';

/** Who changed something: a person, a named policy, or an agent. Only the first two may answer. */
export const Actor = z.object({
  kind: z.enum(['person', 'policy', 'agent']),
  name: z.string().min(1).max(200),
});
export type Actor = z.infer<typeof Actor>;

/** The way a change came in; `desk`: in the dialog of the agent program itself. */
export const Channel = z.enum([
  'terminal',
  'desk',
  'command',
  'pipe',
  'answers-file',
  'gate-file',
  'web',
  'rest',
  'mcp',
  'agent',
  'ledger',
]);
export type Channel = z.infer<typeof Channel>;

export const By = z.object({
  actor: Actor,
  channel: Channel,
  /** For an agent: the task that its run started it for. */
  task: z.string().max(limits.id).optional(),
});
export type By = z.infer<typeof By>;
