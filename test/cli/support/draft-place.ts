import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Notification } from '../../../src/schema/notification.ts';
import type { ScenarioBuilder } from '../../../src/testing.ts';
import { openQuestions, untilLedger } from '../../support/asked.ts';
import { fermata, freshFolder, type Running } from '../../support/fermata.ts';

/** A project with its own ledger, and an agent that plays a scenario. */
export function place(scenario: ScenarioBuilder) {
  const cwd = freshFolder();
  const handle = scenario.build();
  onTestFinished(() => handle.remove());
  const env: Record<string, string> = { FERMATA_HOME: join(cwd, '..', 'home'), ...handle.env };
  return { cwd, env, handle };
}

export type Place = ReturnType<typeof place>;

export const draft = (at: Place, ...args: string[]) => fermata(['draft', ...args, '--agent', 'scripted'], at);

/** Waits until the running program says how to answer its next question. */
export async function question(at: Place, running: Running, not: string[] = []): Promise<Notification> {
  let over = false;
  void running.ended.then(() => {
    over = true;
  });
  return untilLedger(at, async () => {
    const open = (await openQuestions(at)).find((notification) => !not.includes(notification.id));
    if (!open && over) throw new Error(JSON.stringify(await running.ended));
    return open;
  });
}
