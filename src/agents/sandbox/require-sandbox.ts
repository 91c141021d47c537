import { spawnSync } from 'node:child_process';
import { FermataError } from '../../schema/error.ts';
import { findProgram } from '../process/program.ts';

/** Throws if we cannot create a sandbox: a run with --sandbox never continues without one. */
export function requireSandbox(env: Record<string, string | undefined>): void {
  const bwrap = findProgram('bwrap', env, '/');
  if (bwrap === undefined) {
    throw new FermataError(
      'invalid',
      '--sandbox needs bubblewrap, which is not installed. Install it ("apt install bubblewrap", "dnf install bubblewrap"), or run without --sandbox.',
    );
  }
  const tried = spawnSync(
    bwrap,
    ['--unshare-all', '--share-net', '--ro-bind', '/', '/', '--proc', '/proc', 'true'],
    { encoding: 'utf8', timeout: 10_000 },
  );
  if (tried.status === 0) return;
  const why = (tried.stderr || tried.error?.message || 'it failed').trim().split('\n')[0]?.slice(0, 300);
  throw new FermataError(
    'invalid',
    `bubblewrap cannot create a sandbox here: ${why}. Allow user namespaces on this machine, or run without --sandbox.`,
  );
}
