import type { Notification, Response } from '../../schema/notification.ts';
import { noAnswerText, responseAsText, SKIPPED } from '../questions/answer-text.ts';
import { restated } from '../questions/form.ts';
import { isCorrection, isUndelivered } from './undelivered.ts';

/** What an agent's session on disk contains. */
export interface Transcript {
  /** The ids of the tool calls that it has made. */
  calls: ReadonlySet<string>;
  /** The results of its tool calls, by the call's id. */
  results: ReadonlyMap<string, { isError: boolean; text: string }>;
  /** The messages that it was sent. */
  said: readonly string[];
  /** Whether it includes the calls of finished sub-agents. */
  hasSubAgents?: boolean;
}

/** How to continue a session: what to bring to it, and what it already has although the ledger does not know. */
export interface Comparison {
  bring: Notification[];
  known: Notification[];
}

/**
 * Compares the answers of a run with its session on disk. An answer that is missing there is sent again, even if it
 * was delivered once, because the agent died before it was saved. Without a transcript, the ledger decides.
 */
export function compare(asked: readonly Notification[], transcript: Transcript | undefined): Comparison {
  const settled = asked.filter(({ status }) => status !== 'open' && status !== 'recorded');
  const isKnown = (each: Notification) => transcript !== undefined && hasAnswer(transcript, each);
  const isLost = (each: Notification) =>
    transcript !== undefined &&
    each.responses.length > 0 &&
    !hasAnswer(transcript, each) &&
    !wentToSubAgent(transcript, each);
  return {
    bring: settled.filter((each) => (isUndelivered(each) ? !isKnown(each) : isLost(each))),
    known: settled.filter((each) => isUndelivered(each) && isKnown(each)),
  };
}

/**
 * True if a sub-agent has the answer, which this transcript does not show; false if the call that started the sub-agent
 * was aborted.
 */
function wentToSubAgent({ calls, results, hasSubAgents }: Transcript, { resume }: Notification): boolean {
  const subAgent = resume?.subAgent;
  if (subAgent === undefined || hasSubAgents) return false;
  const result = results.get(subAgent);
  return result ? !result.isError : !calls.has(subAgent);
}

/** True if the session can be resumed with this answer in it: as the result of the call that asked, or as text. */
export function hasAnswer(
  { results, said }: Transcript,
  settled: Notification,
  callId = settled.resume?.toolCallId ?? '',
): boolean {
  // The text as it was first sent, before it became a correction.
  const words = restated([{ ...settled, deliveredAt: undefined }]).trim();
  if (said.some((text) => text.includes(words))) return true;
  const result = results.get(callId);
  // The call has the answer from before the amendment.
  if (!result || isCorrection(settled)) return false;
  // An aborted call has the agent's own error instead of the answer.
  return !result.isError || refusalWords(settled).every((each) => result.text.includes(each));
}

/** What a call without an answer gets instead. */
function refusalWords(settled: Notification): string[] {
  if (settled.responses.length > 0) return settled.responses.map((each: Response) => responseAsText(each));
  return [settled.outcome === 'skipped' ? SKIPPED : noAnswerText(settled)];
}
