import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AgentSetup } from '../../../src/agents/driver.ts';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import { fermata, freshFolder } from '../../support/fermata.ts';

/** A project with a ledger of its own, and a person in another process who answers. */
export interface Stage {
  ledger: Ledger;
  /** The store. */
  file: string;
  projectId: string;
  /** Waits for the next open question. */
  asked(): Promise<Notification>;
  /** Answers in a process of its own, with `fermata answer`. */
  answer(id: string, ...values: string[]): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const place = freshFolder();
  const env = { FERMATA_HOME: join(place, 'home') };
  const file = join(env.FERMATA_HOME, 'ledger.db');
  const ledger = await openLedger(file);
  onTestFinished(() => ledger.close());
  const projectId = 'p';
  await ledger.projects.ensure({ id: projectId, name: 'p', root: null });
  let seen = 0;
  return {
    ledger,
    file,
    projectId,
    async asked() {
      for await (const event of ledger.events.watch(projectId, seen)) {
        seen = event.number;
        if (event.type === 'notification.added') return event.data.notification as Notification;
      }
      throw new Error('the ledger was closed');
    },
    async answer(id, ...values) {
      const { code, stderr } = await fermata(['answer', id, ...values], { cwd: place, env });
      if (code !== 0) throw new Error(stderr);
    },
  };
}

export const setupIn = (home: { cwd: string; env: Record<string, string> }, program: string): AgentSetup => ({
  cwd: home.cwd,
  env: home.env,
  program,
  mustAsk: true,
  timeoutMs: 60_000,
});
