import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { parseMilliseconds } from '../../config/duration.ts';
import { loadSettings } from '../../config/settings.ts';
import { type AgentOptions, withAgentOptions } from '../agents/choose.ts';
import { type CommonOptions, wholeNumber } from '../command.ts';
import { interruptible } from '../interrupt.ts';

export interface ConvertOptions extends CommonOptions, AgentOptions {
  output?: string;
  maxIterations: number;
  timeout: string;
  force?: true;
  requireFidelity?: true;
}

export function define(command: Command): void {
  withAgentOptions(command)
    .description(
      'Turn a plan that somebody wrote freely into a plan of phases that passes the audit. An agent rewrites it; what the audit finds is told to the next attempt.',
    )
    .argument('<source>', 'the freeform plan: a text file, or - for stdin')
    .option('--output <dir>', 'where the plan goes (default: plans/NAME in the project)')
    .option(
      '--max-iterations <number>',
      'how many attempts there are at most',
      wholeNumber('--max-iterations', 1, 20),
      3,
    )
    .option('--timeout <duration>', 'how long one attempt may take', '2m')
    .option('--force', 'replace a plan that is there; it is kept as a backup beside the new one')
    .option('--require-fidelity', 'a plan that lost something of its source does not pass')
    .addHelpText(
      'after',
      `
The model is haiku with claude, and the agent's own choice with others.

Examples:
  fermata convert notes/roadmap.md
  fermata convert roadmap.md --output plans/q3 --force --require-fidelity
  cat roadmap.md | fermata convert - --agent command --agent-command ./my-model --format json

Exit codes: 0 written, 1 no attempt passed, 2 wrong use or unreadable source, 4 the agent could not be run, 130 interrupted.`,
    )
    .action(async (source: string, options: ConvertOptions) => {
      const timeoutMs = parseMilliseconds(options.timeout, '--timeout');
      const { convert } = await import('../convert/convert.ts');
      const { readSource } = await import('../convert/source.ts');
      const read = await readSource(source);
      const settings = loadSettings(process.cwd(), process.env, options);
      const { id, root } = settings.project.value;
      const output = resolve(options.output ?? join(root, 'plans', read.planName));
      const own = `${read.planName}-${randomBytes(4).toString('hex')}`;
      const attempts = join(settings.home.value, 'projects', id, 'attempts', own);
      await interruptible((signal) =>
        convert({ source: read, settings, output, attempts, timeoutMs, options, signal }),
      );
    });
}
