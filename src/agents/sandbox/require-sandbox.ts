import { spawnSync } from 'node:child_process';
import { FermataError } from '../../schema/error.ts';
import { findProgram } from '../process/program.ts';
import { sandboxArguments } from './arguments.ts';
import { systemMounts } from './system.ts';

type Env = Record<string, string | undefined>;

/** The first that has --disable-userns. */
const MIN_BUBBLEWRAP = '0.8.0';

/** Tries what no agent may achieve; prints its capabilities, and a line for each thing that it achieves. */
const TRIES = `
sed -n '/^Cap/p; /^NoNewPrivs/p' /proc/self/status
mount -o remount,bind,rw /usr/bin && echo 'it can make read-only folders writable'
unshare --user true && echo 'it can create user namespaces'
true`;

/** Throws if we cannot create a sandbox that holds: what should run in one never continues without it. */
export function requireSandbox(env: Env): void {
  const missing = missingSandbox(env);
  if (missing)
    throw new FermataError('invalid', `${missing.problem}. ${missing.fix}, or run without a sandbox.`);
}

/** Why no sandbox that holds can be created here, and what to do. Tries it with the arguments of a run. */
export function missingSandbox(env: Env): { problem: string; fix: string } | undefined {
  const bwrap = findProgram('bwrap', env, '/');
  if (bwrap === undefined)
    return {
      problem: '--sandbox needs bubblewrap, which is not installed',
      fix: 'Install it ("apt install bubblewrap", "dnf install bubblewrap")',
    };
  const shell = { program: '/bin/sh', cwd: '/' };
  const args = [...sandboxArguments({ bwrap, mounts: systemMounts(env.PATH) }, shell), shell.program];
  const { status, stdout, stderr, error } = spawnSync(bwrap, [...args, '-c', TRIES], {
    encoding: 'utf8',
    timeout: 10_000,
  });
  if (status !== 0) return judgeFailure(bwrap, stderr || error?.message || 'it failed');
  const breach = breachIn(stdout);
  return breach === undefined
    ? undefined
    : {
        problem: `A sandbox does not hold on this machine: ${breach}`,
        fix: 'Update bubblewrap and the kernel',
      };
}

function judgeFailure(bwrap: string, said: string): { problem: string; fix: string } {
  const [why = ''] = said.trim().split('\n');
  if (why.includes('--disable-userns'))
    return {
      problem: `--sandbox needs bubblewrap ${MIN_BUBBLEWRAP} or newer, and ${bwrap} is older`,
      fix: 'Update it',
    };
  return {
    problem: `bubblewrap cannot create a sandbox here: ${why.slice(0, 300)}`,
    fix: 'Allow user namespaces on this machine',
  };
}

/** What a program in the sandbox can do although it must not. */
export function breachIn(printed: string): string | undefined {
  const lines = printed.trim().split('\n');
  const values = new Map(lines.map((line) => line.split(/:\s+/, 2) as [string, string]));
  const capabilities = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'];
  if (!capabilities.every((name) => /^0+$/.test(values.get(name) ?? ''))) return 'it keeps capabilities';
  if (values.get('NoNewPrivs') !== '1') return 'it can gain rights from setuid programs';
  return lines.find((line) => line.startsWith('it can '));
}
