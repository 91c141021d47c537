import type { Job } from './jobs.ts';

/** A session ends by time alone as well: then nothing changes that would tell. */
const CHECK_MS = 30_000;

/** Ends the sockets of a token that was revoked, here or on another hub, and of a session that is over. */
export function revocationJob(sockets: { endRevoked(): Promise<void> }): Job {
  return {
    async turn() {
      await sockets.endRevoked();
      return Date.now() + CHECK_MS;
    },
  };
}
