import type { Probe } from '../driver.ts';
import { AgentProcess } from './agent-process.ts';

/** A machine that runs many agents may need several seconds to start a program. */
const TIME_LIMIT_MS = 30_000;
const MAX_CHARACTERS = 4096;

/** Runs a program with `--version` and returns the first version it prints; ends a program that hangs. */
export async function probeVersion(
  name: string,
  program: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
  args: string[] = [],
): Promise<Probe> {
  const running = new AgentProcess({ program, args: [...args, '--version'], cwd, env });
  running.endInput();
  const timer = setTimeout(() => void running.kill(), TIME_LIMIT_MS);
  try {
    let output = '';
    for await (const chunk of running.stdout) {
      output += chunk;
      if (output.length > MAX_CHARACTERS) break;
    }
    const { code, notStarted } = await running.kill();
    if (notStarted !== undefined) return { found: false, message: `${name}: ${notStarted}` };
    const version = /\b\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[\w.]{1,40})?/.exec(output)?.[0];
    if (version) return { found: true, program, version };
    const detail = running.stderrTail.trim().slice(-300);
    const more = detail === '' ? '' : ` It said: ${detail}`;
    return {
      found: false,
      message: `${name}: ${program} --version printed no version (exit code ${code ?? 'none'}).${more}`,
    };
  } finally {
    clearTimeout(timer);
  }
}
