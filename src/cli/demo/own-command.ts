import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { ownProgram } from '../../agents/process/program.ts';
import type { DemoStage } from './stage.ts';

export interface OwnCommand {
  args: string[];
  /** `inherit`: the person sees and answers it. */
  stdio: StdioOptions;
  signal: AbortSignal;
}

/** Starts one of our own commands in the sample repository, as a person would. */
function startOwn({ repository, env }: DemoStage, { args, stdio }: Omit<OwnCommand, 'signal'>): ChildProcess {
  return spawn(process.execPath, [ownProgram('fermata.cjs'), ...args], { cwd: repository, env, stdio });
}

/** Runs it to its end; forwards a stop, so that it can clean up. */
export async function runOwn(
  stage: DemoStage,
  { args, stdio, signal }: OwnCommand,
): Promise<{ code: number | null; stdout: string }> {
  const child = startOwn(stage, { args, stdio });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  let stdout = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Serves the demo's own inbox too, so that everything can also be answered in the browser; without a link if that fails. */
export async function withFermataHub<T>(
  stage: DemoStage,
  signal: AbortSignal,
  play: (link: string | undefined) => Promise<T>,
): Promise<T> {
  const hub = startOwn(stage, { args: ['serve', '--port', '0'], stdio: ['ignore', 'pipe', 'ignore'] });
  const link = await linkOf(hub, signal);
  try {
    return await play(link);
  } finally {
    if (hub.exitCode === null && hub.signalCode === null) {
      hub.kill('SIGTERM');
      await once(hub, 'exit');
    }
  }
}

async function linkOf(hub: ReturnType<typeof startOwn>, signal: AbortSignal): Promise<string | undefined> {
  let said = '';
  for await (const chunk of hub.stdout ?? []) {
    said += String(chunk);
    const link = /^Log in [^:]*: (\S+)\s/m.exec(said)?.[1];
    if (link !== undefined || signal.aborted) return link;
  }
  return undefined;
}
