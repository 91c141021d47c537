import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { descendants, kill } from './processes.ts';

/** A range that is reserved for network tests (RFC 2544). */
const NET = '198.18.77';
/** The address of the services of `makeMachines`, for all machines and for this process. */
export const SERVER_ADDRESS = `${NET}.1`;
/** The address of this process for them. */
export const OWN_ADDRESS = `${NET}.9`;
export const MACHINES_NETWORK = `${NET}.0/24`;

/** A process that has a machine to itself. */
export interface OnMachine {
  /** Everything on stdout and stderr so far. */
  said(): string;
  /** Asks it to end; resolves to its exit code. */
  stop(): Promise<number | null>;
  /** Cuts the machine's power: everything that runs there is gone at once. */
  losePower(): Promise<void>;
}

export interface Machine {
  start(command: string[], options: { cwd: string; env: NodeJS.ProcessEnv }): OnMachine;
  /** Runs something there to its end, and returns what it prints. */
  run(command: string[], cwd: string): string;
  plug(): void;
  unplug(): void;
}

const ip = (...args: string[]) => execFileSync('ip', args, { encoding: 'utf8', stdio: 'pipe' });

/** Why machines cannot be made here; undefined if they can. */
export function machinesMissing(): string | undefined {
  const probe = `fermata${process.pid}probe`;
  try {
    ip('netns', 'add', probe);
    ip('netns', 'exec', probe, 'unshare', '--pid', '--fork', '--kill-child', '--mount-proc', 'true');
    return undefined;
  } catch (error) {
    return `Network namespaces cannot be made here: ${(error as Error).message.split('\n')[0]}`;
  } finally {
    try {
      ip('netns', 'delete', probe);
    } catch {
      // It was not made.
    }
  }
}

/**
 * Network namespaces that reach only a server's, each with a cable that can be unplugged. This process has a cable too.
 * All are removed after the test.
 */
export function makeMachines(count: number) {
  const name = (of: string) => `fermata${process.pid}${of}`;
  const server = name('s');
  const addSpace = (space: string) => {
    ip('netns', 'add', space);
    onTestFinished(() => void ip('netns', 'delete', space));
    ip('-n', space, 'link', 'set', 'lo', 'up');
  };
  const connect = (port: string) => {
    ip('-n', server, 'link', 'set', port, 'master', 'hub');
    ip('-n', server, 'link', 'set', port, 'up');
  };
  addSpace(server);
  ip('-n', server, 'link', 'add', 'hub', 'type', 'bridge');
  ip('-n', server, 'address', 'add', `${SERVER_ADDRESS}/24`, 'dev', 'hub');
  ip('-n', server, 'link', 'set', 'hub', 'up');

  const own = `fm${process.pid}`;
  ip('link', 'add', own, 'type', 'veth', 'peer', 'name', 'own', 'netns', server);
  ip('address', 'add', `${OWN_ADDRESS}/24`, 'dev', own);
  ip('link', 'set', own, 'up');
  connect('own');

  const machines = Array.from({ length: count }, (_, index): Machine => {
    const space = name(`m${index}`);
    const port = `port${index}`;
    addSpace(space);
    ip('link', 'add', 'cable', 'netns', space, 'type', 'veth', 'peer', 'name', port, 'netns', server);
    ip('-n', space, 'address', 'add', `${NET}.${11 + index}/24`, 'dev', 'cable');
    ip('-n', space, 'link', 'set', 'cable', 'up');
    connect(port);
    return {
      start: (command, options) => startAlone(space, command, options),
      run: (command, cwd) =>
        execFileSync('ip', ['netns', 'exec', space, ...command], { cwd, encoding: 'utf8', stdio: 'pipe' }),
      plug: () => void ip('-n', server, 'link', 'set', port, 'up'),
      unplug: () => void ip('-n', server, 'link', 'set', port, 'down'),
    };
  });
  return { machines, onServer: ['ip', 'netns', 'exec', server] };
}

/** With its own pids, so that nobody elsewhere can see whether it is alive. */
function startAlone(
  space: string,
  command: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): OnMachine {
  const alone = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const child: ChildProcess = spawn('ip', ['netns', 'exec', space, ...alone, ...command], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  const losePower = async () => {
    child.kill('SIGKILL');
    await closed;
  };
  onTestFinished(losePower);
  return {
    said: () => said,
    losePower,
    async stop() {
      const [first] = descendants(child.pid ?? 0);
      if (first !== undefined) kill(first, 'SIGTERM');
      return (await closed)[0];
    },
  };
}
