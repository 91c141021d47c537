import type { Job } from '../../app/jobs/jobs.ts';

/** A session ends by time alone as well: then nothing changes that would tell. */
const CHECK_MS = 30_000;

/** Ends what is open for a token that was revoked, here or on another hub, and for a session that is over. */
export function revocationJob(endRevoked: () => Promise<unknown>): Job {
  return {
    async turn() {
      await endRevoked();
      return Date.now() + CHECK_MS;
    },
  };
}
