import type { Ledger } from '../../ledger/ledger.ts';
import type { Job } from './jobs.ts';

/** Applies the policies of questions that nobody answered in time, even if their askers are gone. */
export function deadlineJob({ notifications }: Ledger): Job {
  return {
    async turn() {
      await notifications.applyDeadlines();
      return notifications.nextDeadline();
    },
  };
}
