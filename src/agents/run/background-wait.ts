import { MAX_TIMER } from '../../config/duration.ts';
import { describeLimit } from '../../text/duration.ts';
import { type AgentSetup, BACKGROUND_WAIT_MS } from '../driver.ts';

type Limited = Pick<AgentSetup, 'backgroundWaitMs'>;

/** How long background work may be silent after the agent's last turn. */
export const backgroundWait = ({ backgroundWaitMs = BACKGROUND_WAIT_MS }: Limited) =>
  Math.min(backgroundWaitMs, MAX_TIMER);

/** Why we ended the run of a finished agent although work was still running. */
export function waitedLongEnough(agent: string, setup: Limited, work: string): string {
  const limit = describeLimit(backgroundWait(setup) / 1000);
  return `${agent} has finished. Fermata ended it after waiting ${limit} for its background work (${work}). Use --background-wait to wait longer.`;
}
