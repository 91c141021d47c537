import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Run } from '../../../src/schema/run.ts';
import type { Running } from '../../support/fermata.ts';
import { killAgent, killAll, processesIn } from '../../support/processes.ts';

export const ANSWER = 'PostgreSQL 17, please';

/** Reads the questions in the only project of a ledger, and answers as a person. */
export class Person {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  async rows(): Promise<Notification[]> {
    const runs = await this.runs();
    return (
      await Promise.all(runs.map(({ projectId, id }) => this.#ledger.runs.questions(projectId, id)))
    ).flat();
  }

  async runs(): Promise<Run[]> {
    const [project] = await this.#ledger.projects.list();
    return project ? this.#ledger.runs.list(project.id) : [];
  }

  asked(): Promise<Notification> {
    return until(async () => (await this.rows()).find(({ status }) => status === 'open'), 20);
  }

  async answer({ projectId, id, source, questions }: Notification): Promise<void> {
    const answer = source === 'approval' ? 'Approve' : ANSWER;
    const responses = questions.map((each) => ({ questionId: each.id, answer }));
    const by = { actor: { kind: 'person', name: 'Ada' }, channel: 'terminal' } as const;
    await this.#ledger.notifications.resolve(projectId, id, { responses }, by);
  }

  /** Answers every question until then. */
  async answerAll(until: Promise<unknown>): Promise<void> {
    let isOver = false;
    void until.then(() => {
      isOver = true;
    });
    while (!isOver) {
      const open = (await this.rows()).filter(({ status }) => status === 'open');
      // It may have been withdrawn meanwhile.
      for (const each of open) await this.answer(each).catch(() => undefined);
      await tick(100);
    }
  }

  delivered({ projectId, id }: Notification): Promise<true> {
    const row = () => this.#ledger.notifications.get(projectId, id);
    return until(async () => (await row()).status === 'delivered' || undefined, 1);
  }
}

/** An overloaded machine can need more than a minute to start five agents. */
const MAX_MS = 120_000;

/** Polls. */
export async function until<T>(look: () => Promise<T | undefined>, everyMs: number): Promise<T> {
  for (const end = Date.now() + MAX_MS; Date.now() < end; await tick(everyMs)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error('It did not happen within two minutes.');
}

export const tick = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** `kill -9` of the agent and of Fermata. */
export async function killBoth({ child, ended }: Running, cwd: string): Promise<void> {
  killAll(cwd);
  child.kill('SIGKILL');
  await ended;
}

/** Sends a signal to the agent alone. */
export function signalAgent(signal: NodeJS.Signals, { child }: Running, cwd: string): void {
  if (processesIn(cwd).every((pid) => pid === child.pid)) throw new Error('There is no agent to kill.');
  killAgent(cwd, child.pid, signal);
}
