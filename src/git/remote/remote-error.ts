import { Refusal } from '../../schema/refusal.ts';
import { type Remote, shownAddress } from './address.ts';
import type { RemoteEnded } from './remote-git.ts';

const denied =
  /Authentication failed|Permission denied|could not read (?:Username|Password)|returned error: 40[134]|repository .*not found|terminal prompts disabled|Host key verification failed|access denied|not authorized|dubious ownership|transport '.*' not allowed/i;
const away =
  /resolve host|Connection (?:refused|timed out|reset|closed)|Network is unreachable|No route to host|timed out|early EOF|unexpected disconnect|hung up|failed to connect|could not connect|unable to connect|unable to look up|Broken pipe|returned error: (?:429|5\d\d)|Temporary failure|transfer closed|too slow/i;
const missing = /does not appear to be a git repository|Could not read from remote repository/i;

/**
 * Why git could not talk to a remote. Waiting helps with `remote_away`, maybe with `remote_missing`, and not with
 * `remote_denied`.
 */
export function remoteError(remote: Remote, command: string, { stderr, gaveUp, code }: RemoteEnded): Refusal {
  const at = `${remote.name} (${shownAddress(remote)})`;
  const said = lastLines(stderr) || `exit code ${code}`;
  const data = { remote: remote.name, address: shownAddress(remote), stderr: said };
  if (gaveUp) {
    return new Refusal('remote_away', `${at} did not answer in time.`, { data, code: 'unavailable' });
  }
  if (denied.test(stderr)) {
    return new Refusal('remote_denied', `${at} refuses access: ${said}`, {
      suggestion:
        'Log in the way you do for "git push" yourself (a credential helper or an ssh key), and try again.',
      data,
      code: 'forbidden',
    });
  }
  if (away.test(stderr)) {
    return new Refusal('remote_away', `${at} cannot be reached: ${said}`, { data, code: 'unavailable' });
  }
  if (missing.test(stderr)) {
    return new Refusal('remote_missing', `There is no repository at ${at}: ${said}`, {
      suggestion: 'Check its address ("git remote -v"), or turn it off with --remote none.',
      data,
      code: 'unavailable',
    });
  }
  return new Refusal('remote_failed', `git ${command} failed with ${at}: ${said}`, {
    data,
    code: 'unavailable',
  });
}

export const isRemoteUnreachable = (error: unknown): error is Refusal =>
  error instanceof Refusal && (error.type === 'remote_away' || error.type === 'remote_missing');

/** The server's message comes last and may be long. */
export function lastLines(text: string): string {
  return text.trim().split('\n').slice(-8).join(' ').slice(-1000);
}
