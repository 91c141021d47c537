import { CommanderError } from 'commander';
import { FermataError } from '../schema/error.ts';
import { isAtTerminal } from './at-terminal.ts';
import { exit, exitCodeOf } from './exit.ts';
import { commandFirst } from './leading-options.ts';
import { describeError, isStdoutForQuestions, keepFormat, printJson, tell } from './output.ts';
import { isPlanCommand, printPlanError } from './plan-command.ts';
import { buildProgram } from './program.ts';

/** Runs one command; resolves to the exit code. */
export async function main(argv: string[], invoked: { name: string }): Promise<number> {
  if (!process.env.OTEL_EXPORTER_OTLP_ENDPOINT) return runCommand(argv, invoked);
  const { startTracing, stopTracing } = await import('../telemetry/trace.ts');
  startTracing(process.env, tell);
  return runCommand(argv, invoked).finally(stopTracing);
}

async function runCommand(argv: string[], invoked: { name: string }): Promise<number> {
  process.stdout.on('error', endQuietly);
  const words =
    argv.length === 0 && invoked.name === 'fermata' && isAtTerminal() ? ['status'] : commandFirst(argv);
  keepFormat(wantedFormat(argv));
  const program = await buildProgram(invoked.name, (name) => name === words[0]);
  try {
    await program.parseAsync(words, { from: 'user' });
    return Number(process.exitCode ?? exit.done);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exit.done;
    if (isPlanCommand(program, words)) {
      await printPlanError(error, argv.includes('--debug'));
      return exit.failed;
    }
    return report(error, argv);
  }
}

async function report(error: unknown, argv: string[]): Promise<number> {
  const message = messageOf(error, argv.includes('--debug'));
  // Commander has already told the person, with a suggestion and where to read more.
  if (!(error instanceof CommanderError)) tell(`fermata: ${message}`);
  if (wantedFormat(argv) === 'json') {
    const details = error instanceof FermataError ? error.details : undefined;
    await printJson({
      error: { code: codeOf(error), message, ...(details === undefined ? {} : { details }) },
    });
  }
  return error instanceof CommanderError ? exit.wrongUse : exitCodeOf(error);
}

function messageOf(error: unknown, debug: boolean): string {
  if (!(error instanceof CommanderError)) return describeError(error, debug);
  if (error.code === 'commander.help') return 'A command is missing.';
  return error.message.replace(/^error: /, '');
}

function codeOf(error: unknown): string {
  if (error instanceof FermataError) return error.code;
  return error instanceof CommanderError ? 'invalid' : 'internal';
}

/** The last one counts, as for the command itself. */
function wantedFormat(argv: string[]): 'text' | 'json' | undefined {
  const options = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  return options
    .map((word, index) => {
      const value = word.startsWith('--format=') ? word.slice('--format='.length) : word;
      const isGiven = value !== word || options[index - 1] === '--format';
      if (word === '--json' || (isGiven && value === 'json')) return 'json' as const;
      return isGiven && value === 'text' ? ('text' as const) : undefined;
    })
    .findLast((format) => format !== undefined);
}

/** The reader of our output is gone (`fermata events | head`), so there is nobody left to tell. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (isStdoutForQuestions()) return; // the questions are then asked elsewhere
  if (error.code === 'EPIPE') process.exit(exit.done);
  tell(`fermata: Cannot print the result: ${error.message}. The changes to the ledger are stored.`);
  process.exit(exit.failed);
}
