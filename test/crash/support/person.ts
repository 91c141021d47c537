import { type Asker, answerEverything } from './roles.ts';

/** Somebody who answers every question of a project as soon as it is there. */
export function startPerson(asker: Asker) {
  const acknowledged = new Set<string>();
  const waiting = new Set<() => void>();
  const leaving = new AbortController();
  const over = answerEverything(
    asker,
    (task) => {
      acknowledged.add(task);
      for (const look of waiting) look();
    },
    leaving.signal,
  );
  over.catch(() => undefined); // whoever waits, and `leave`, tell it
  return {
    /** Resolves when the ledger has acknowledged the answers to these tasks. */
    hasAnswered: async (tasks: string[]) => {
      const all = new Promise<void>((resolve) => {
        const look = () => tasks.every((task) => acknowledged.has(task)) && resolve();
        waiting.add(look);
        look();
      });
      await Promise.race([all, over.then(() => Promise.reject(new Error('The person left.')))]);
    },
    async leave() {
      leaving.abort();
      await over;
    },
  };
}
