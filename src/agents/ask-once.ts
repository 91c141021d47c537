import { ASSUME } from './answer-text.ts';
import { agentOf } from './conducting.ts';
import type { AgentDriver, AgentEvent, AgentRun, AgentSetup, RunEnd } from './driver.ts';
import { failedRun } from './drivers/failed-run.ts';
import { refusal } from './refusal.ts';

export interface AskOnce {
  driver: AgentDriver;
  setup: AgentSetup;
  prompt: string;
  /** Tools that it may use; everything else is refused, because nobody is asked. */
  allows?(tool: string, input: unknown): boolean;
  onEvent?(event: AgentEvent): void;
  signal?: AbortSignal;
}

/**
 * One process, one prompt, one text: nobody is asked, nothing is stored, and no process is left when it resolves. An
 * agent that asks is told to assume. The end is `ok` only with a text.
 */
export async function askOnce({ driver, setup, prompt, signal, ...hearing }: AskOnce): Promise<RunEnd> {
  if (signal?.aborted) return failedRun('stopped', `${driver.name} was not started any more.`).ended;
  const agent = driver.start({ ...setup, mustAsk: false }, prompt);
  const stop = () => void agent.stop();
  signal?.addEventListener('abort', stop);
  // Beside the events: an answer may count as given only with the next one.
  const replies: Promise<unknown>[] = [];
  let failure: { error: unknown } | undefined;
  const fail = (error: unknown) => {
    failure ??= { error };
    stop();
  };
  try {
    for await (const event of agent.events) {
      replies.push(reply(agent, event, driver, hearing.allows).catch(fail));
      hearing.onEvent?.(event);
    }
  } catch (error) {
    fail(error);
  }
  signal?.removeEventListener('abort', stop);
  const [end] = await Promise.all([agent.ended, ...replies]);
  if (failure) throw failure.error;
  return judged(end);
}

async function reply(
  agent: AgentRun,
  event: AgentEvent,
  driver: AgentDriver,
  allows: AskOnce['allows'],
): Promise<void> {
  if (event.kind === 'question') {
    const nobody = { projectId: '', source: 'plan' as const, sourceId: driver.name };
    await agent.answer(event.ask.id, refusal(nobody, ASSUME, agentOf(driver)));
  }
  if (event.kind === 'permission') {
    const allowed = allows?.(event.tool, event.input) ?? false;
    await agent.permit(
      event.id,
      allowed,
      allowed ? undefined : 'Nobody is asked in this run. Do without it.',
    );
  }
}

function judged(end: RunEnd): RunEnd {
  if (end.reason === 'parked')
    return { ...end, reason: 'no_result', message: 'The agent asked a question instead of answering.' };
  if (end.reason !== 'ok' || end.text.trim() !== '') return end;
  return { ...end, reason: 'no_result', message: `${end.message} But its answer is empty.` };
}
