import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FermataError } from '../schema/error.ts';
import { parseArguments } from './arguments.ts';
import { behaviours } from './behaviour.ts';
import { loadScenario } from './load-scenario.ts';
import { perform } from './perform.ts';
import { versionOf } from './scenario.ts';

/** The scripted agent: speaks the protocol of Claude Code and does what a scenario file says. Resolves to the exit code. */
export async function main(words: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const args = parseArguments(words);
  if ('error' in args) return refuse(args.error);
  const file = scenarioFile(args.scenario ?? env.FAKE_CLAUDE_CONFIG, env.FERMATA_PHASE);
  if (args.version && !(file && existsSync(file))) return tellVersion(behaviours['2.1.325'].version);
  if (!file)
    return refuse(
      'No scenario given. Set FAKE_CLAUDE_CONFIG to a scenario file, or start this program with --scenario FILE.',
    );
  try {
    const scenario = loadScenario(file, process.cwd());
    if (args.version) return tellVersion(versionOf(scenario));
    return await perform({ args, words, scenario, env });
  } catch (error) {
    if (error instanceof FermataError) return refuse(error.message);
    throw error;
  }
}

/** In a folder, the file of the phase that the agent works on: `2-A.json`; `default.json` if there is none. */
function scenarioFile(named: string | undefined, phase: string | undefined): string | undefined {
  if (named === undefined || !statSync(named, { throwIfNoEntry: false })?.isDirectory()) return named;
  const own = join(named, `${(phase ?? 'default').replace(/[^\w.-]/g, '_')}.json`);
  return existsSync(own) ? own : join(named, 'default.json');
}

function tellVersion(version: string): number {
  process.stdout.write(`${version} (Claude Code, scripted)\n`);
  return 0;
}

function refuse(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}
