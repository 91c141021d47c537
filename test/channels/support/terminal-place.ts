import { join } from 'node:path';
import { openLedger } from '../../../src/index.ts';
import type { Decision } from '../../../src/schema/decision.ts';
import type { Notification, Policy } from '../../../src/schema/notification.ts';
import { fermata, freshFolder } from '../../support/fermata.ts';
import type { Terminal } from '../../support/pty.ts';

/** A project with its own ledger. */
export function place() {
  const cwd = freshFolder();
  const env = { FERMATA_HOME: join(cwd, '..', 'home') };
  const ledger = () => openLedger(join(env.FERMATA_HOME, 'ledger.db'));
  const inbox = async (): Promise<Notification[]> =>
    JSON.parse((await fermata(['inbox', '--all', '--json'], { cwd, env })).stdout).notifications;
  const decisions = async (): Promise<Decision[]> =>
    JSON.parse((await fermata(['decisions', '--project', 'p', '--json'], { cwd, env })).stdout).decisions;
  return { cwd, env, ledger, inbox, decisions };
}

/** Stores a notification with several questions, as an agent would. */
export async function asked(
  at: ReturnType<typeof place>,
  questions: unknown[],
  sourceId = 'x',
  policy?: Policy,
): Promise<Notification> {
  const ledger = await at.ledger();
  await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
  const by = { actor: { kind: 'agent' as const, name: 'a' }, channel: 'agent' as const };
  const { notification } = await ledger.notifications.create(
    { projectId: 'p', source: 'plan', sourceId, questions, policy },
    by,
  );
  await ledger.close();
  return notification;
}

export async function stored(at: ReturnType<typeof place>, id: string): Promise<Notification> {
  const ledger = await at.ledger();
  try {
    return await ledger.notifications.find(id);
  } finally {
    await ledger.close();
  }
}

/** Sees the answer as it will be stored, and stores it. */
export async function confirm(terminal: Terminal, answer: string): Promise<void> {
  await terminal.shows(new RegExp(`→ ${answer}\\n[\\s\\S]*Enter to save, back to change › `));
  terminal.type('\r');
}
