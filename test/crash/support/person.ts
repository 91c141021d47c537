import { createInterface } from 'node:readline';
import { ended, start } from './processes.ts';

/** A process that answers every question of a project as soon as it is there. */
export function startPerson(file: string, args: string[]) {
  const child = start(file, ['person', ...args], { timeout: 120_000 });
  const over = ended(child);
  over.catch(() => undefined); // whoever waits, and `leave`, tell it
  const acknowledged = new Set<string>();
  const waiting = new Set<() => void>();
  if (!child.stdout) throw new Error('it has no stdout');
  createInterface(child.stdout).on('line', (task) => {
    acknowledged.add(task);
    for (const look of waiting) look();
  });
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
      child.kill('SIGKILL');
      await over;
    },
  };
}
