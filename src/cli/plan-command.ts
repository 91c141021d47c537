import { type Command, CommanderError } from 'commander';
import { FermataError } from '../schema/error.ts';
import { Refusal } from '../schema/refusal.ts';
import { visible } from '../schema/visible.ts';
import { exit } from './exit.ts';
import { describeError, isForPeople, print, printJson, tell } from './output.ts';

/**
 * The commands that an agent calls while it follows a protocol. They always print one JSON object:
 * `{"status":"success","data"}`, or `{"status":"error","error":{"type","message","suggestion"?},"data"?}` with the exit
 * code of `planExitCode`. A person at a terminal gets the same as text.
 */
const planCommands = new WeakSet<Command>();

/** Marks a command as a plan command, so that wrong use is reported in the same format. */
export function asPlanCommand(command: Command): Command {
  planCommands.add(command);
  return command;
}

/** Runs a plan command and prints its result; `describe` words it for people. */
export async function planCommand<Data extends object>(
  work: () => Promise<Data>,
  describe: (data: Data) => string[] = outline,
): Promise<void> {
  try {
    const data = await work();
    await (isForPeople() ? print(describe(data).join('\n')) : printJson({ status: 'success', data }));
  } catch (error) {
    await printPlanError(error);
  }
}

export async function printPlanError(error: unknown, debug = false): Promise<void> {
  process.exitCode = planExitCode(error);
  const details = error instanceof FermataError ? error.details : undefined;
  if (isForPeople()) return tellError(error, details, debug);
  await printJson({
    status: 'error',
    error: explain(error, debug),
    ...(details === undefined ? {} : { data: details }),
  });
}

/** Commander has already reported wrong use. */
function tellError(error: unknown, details: unknown, debug: boolean): void {
  if (error instanceof CommanderError) return;
  tell(`fermata: ${describeError(error, debug)}`);
  if (typeof details === 'object' && details !== null) tell(outline(details).join('\n'));
}

/** Waiting for a person, or stopping that wait, is not a failure. */
function planExitCode(error: unknown): number {
  if (!(error instanceof Refusal)) return exit.failed;
  if (error.type === 'timed_out' || error.type === 'needs_approval') return exit.waiting;
  if (error.type === 'agent_failed') return exit.agent;
  return error.type === 'interrupted' ? exit.interrupted : exit.failed;
}

/** Whether these words call a plan command. */
export function isPlanCommand(program: Command, words: string[]): boolean {
  let command = program;
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (!next) return planCommands.has(command);
    command = next;
  }
  return planCommands.has(command);
}

function explain(error: unknown, debug: boolean): { type: string; message: string; suggestion?: string } {
  if (error instanceof Refusal) {
    const { type, message, suggestion } = error;
    return { type, message, ...(suggestion === undefined ? {} : { suggestion }) };
  }
  if (error instanceof CommanderError)
    return { type: 'invalid', message: error.message.replace(/^error: /, '') };
  const type = error instanceof FermataError ? error.code : 'internal';
  return { type, message: describeError(error, debug) };
}

/** Data as readable lines: `name: value`, with nested values indented below. */
export function outline(data: object): string[] {
  return entriesOf(data).flatMap(([name, value]) => field(name.replaceAll('_', ' '), value));
}

function field(name: string, value: unknown): string[] {
  if (isEmpty(value)) return [`${name}: none`];
  if (Array.isArray(value)) return [`${name}:`, ...indented(value.flatMap(item))];
  if (typeof value === 'object' && value !== null) return [`${name}:`, ...indented(outline(value))];
  const [first = '', ...rest] = scalar(value);
  return rest.length === 0 ? [`${name}: ${first}`] : [`${name}:`, ...indented([first, ...rest])];
}

function item(value: unknown): string[] {
  const isData = typeof value === 'object' && value !== null;
  const [first = '', ...rest] = isData ? outline(value) : scalar(value);
  return [`- ${first}`, ...indented(rest)];
}

function scalar(value: unknown): string[] {
  if (value === null || value === undefined) return ['–'];
  if (typeof value === 'boolean') return [value ? 'yes' : 'no'];
  return visible(String(value)).trimEnd().split('\n');
}

const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && entriesOf(value).length === 0;
const entriesOf = (data: object) => Object.entries(data).filter(([, value]) => value !== undefined);
const indented = (lines: string[]) => lines.map((line) => (line === '' ? '' : `  ${line}`));
