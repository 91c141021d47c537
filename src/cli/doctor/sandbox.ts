import { readFileSync } from 'node:fs';
import { missingSandbox } from '../../agents/sandbox/require-sandbox.ts';
import { counted } from '../../schema/counted.ts';
import { type Check, ok, warning } from './check.ts';

/** Whether `run --sandbox` works here, and what it leaves in reach; undefined on systems that never have it. */
export function checkSandbox(env: NodeJS.ProcessEnv): Check | undefined {
  if (process.platform !== 'linux') return undefined;
  const missing = missingSandbox(env);
  if (missing) return warning('sandbox', missing.problem, `${missing.fix} to run agents with --sandbox.`);
  return judgeNetwork(abstractSockets(readFileSync('/proc/net/unix', 'utf8')));
}

const SHARED = 'no capabilities; shares the network of this machine';

export function judgeNetwork(sockets: readonly string[]): Check {
  if (sockets.length === 0) return ok('sandbox', SHARED);
  const [first] = sockets;
  return warning(
    'sandbox',
    `${SHARED}, so agents in it can reach ${counted(sockets.length, 'abstract socket')} (${first}${sockets.length > 1 ? ', …' : ''})`,
    'Programs that listen there see your account. For agents that you do not trust, use a machine or container without them.',
  );
}

/** The names of the abstract sockets that somebody listens on. File permissions do not apply to these. */
export function abstractSockets(table: string): string[] {
  const names = table.split('\n').flatMap((line) => {
    const [, , , flags, , , , name = ''] = line.trim().split(/\s+/);
    const listens = (Number.parseInt(flags ?? '', 16) & ACCEPTS) !== 0;
    return listens && name.startsWith('@') ? [name] : [];
  });
  return [...new Set(names)];
}

/** The kernel's flag of a socket that accepts connections. */
const ACCEPTS = 0x10000;
