import type { Job } from '../../app/jobs/jobs.ts';

/** A session also expires by time, which causes no event. */
const CHECK_MS = 30_000;

/** Ends open connections of a token that was revoked, here or on another hub, and of an expired session. */
export function revocationJob(endRevoked: () => Promise<unknown>): Job {
  return {
    async turn() {
      await endRevoked();
      return Date.now() + CHECK_MS;
    },
  };
}
