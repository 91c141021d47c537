import { missingSandbox } from '../../src/agents/sandbox/require-sandbox.ts';
import { unprivileged } from './postgres-account.ts';

/** Skips a test, with the reason, on a machine that cannot create a sandbox; fails if it can and the sandbox does not hold. */
export function skipWithoutSandbox(skip: (note: string) => never): void {
  const missing = missingSandbox(process.env);
  if (missing?.problem.includes('does not hold')) throw new Error(missing.problem);
  if (missing) skip(`${missing.problem}. ${missing.fix}.`);
}

/** This user, and an ordinary one if this is root. */
export const eachUser = [
  { user: process.getuid?.() === 0 ? 'root' : 'an ordinary user', account: {} },
  ...('uid' in unprivileged() ? [{ user: 'an ordinary user', account: unprivileged() }] : []),
];
