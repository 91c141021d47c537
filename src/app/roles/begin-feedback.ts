import type { PlanRunResult } from '../../schema/plan-run.ts';
import type { Begun } from '../begun.ts';
import type { AgentOptions } from '../choose-agent.ts';
import type { Context } from '../context.ts';
import { addFeedback } from './add-feedback.ts';
import type { Unfinished } from './consult-role.ts';

/** Has the Analyst work on stored feedback, in a long-running process. */
export function beginFeedback(
  context: Context,
  id: string,
  { agent, model, signal }: Partial<AgentOptions> & { signal: AbortSignal },
): Begun<{ result: PlanRunResult; problem?: string }> {
  const said = { agent: agent ?? 'claude', model, agentGiven: agent !== undefined, signal };
  return {
    carryOut: async () => {
      const came = await addFeedback(context, { resume: id }, said);
      if (came.kind === 'done') return { result: 'done' };
      if (signal.aborted) return { result: 'interrupted' };
      if (came.why.kind === 'waiting') return { result: 'waiting' };
      return { result: 'failed', problem: problemOf(came.why) };
    },
  };
}

function problemOf(why: Exclude<Unfinished['why'], { kind: 'waiting' }>): string {
  if (why.kind === 'stopped') return why.end.message;
  return `The agent's answer is unusable: ${why.sentBack.at(-1)?.findings ?? ''}`;
}
