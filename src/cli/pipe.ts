import { PipeConversation } from '../channels/pipe/pipe-conversation.ts';
import type { PipeItem } from '../channels/pipe/pipe-question.ts';
import type { Env } from '../config/home.ts';
import { FermataError } from '../schema/error.ts';
import type { CommandContext } from './command-context.ts';
import { keepStdoutForQuestions, tell } from './output.ts';

/** Whether a command asks its parent process. If so, only questions go to stdout from now on. */
export function takesPipe(): boolean {
  const { isOn, problem } = pipeMode(process.env);
  if (problem) tell(`fermata: ${problem}`);
  if (isOn) keepStdoutForQuestions();
  return isOn;
}

/** Prepares to ask the parent process. Answers to `announced` questions may come before they are asked. */
export function openPipe(context: CommandContext, announced: PipeItem[] = []): PipeConversation {
  refuseAgent(context);
  keepStdoutForQuestions();
  const { seconds, problem } = pipeTimeout(process.env);
  if (problem) tell(`fermata: ${problem}`);
  return new PipeConversation(context.ledger, announced, context.by, {
    input: process.stdin,
    output: process.stdout,
    timeoutSeconds: seconds,
    report: (message) => tell(`fermata: ${message}`),
  });
}

/** The pipe and an answers file act on the person's behalf. */
export function refuseAgent({ by }: Pick<CommandContext, 'by'>): void {
  if (by('pipe').actor.kind !== 'agent') return;
  throw new FermataError(
    'forbidden',
    'An agent may ask but not answer. Leave out the pipe and --answers-file, so that the questions go to a person.',
  );
}

const DEFAULT_SECONDS = 30;
const names = ['FERMATA_QA_TIMEOUT', 'DEBUSSY_QA_TIMEOUT'];
const switches = ['FERMATA_QA_PIPE', 'DEBUSSY_QA_PIPE'];
const OFF = ['', '0', 'false', 'no', 'off'];

/** Whether questions go to a parent process over stdout and stdin; `problem` names a value that is not `1`. */
export function pipeMode(env: Env): { isOn: boolean; problem?: string } {
  if (switches.some((name) => env[name] === '1')) return { isOn: true };
  const name = switches.find((each) => !OFF.includes(env[each]?.trim().toLowerCase() ?? ''));
  if (name === undefined) return { isOn: false };
  return { isOn: false, problem: `${name} is "${env[name]}", which does not turn the pipe on. Set it to 1.` };
}

/** How long to wait for an answer; `problem` names a value that is not a number of seconds. */
export function pipeTimeout(env: Env): { seconds: number; problem?: string } {
  const name = names.find((each) => env[each]?.trim());
  if (name === undefined) return { seconds: DEFAULT_SECONDS };
  const text = env[name]?.trim() ?? '';
  const seconds = /^(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})$/.test(text) ? Number(text) : 0;
  if (seconds > 0) return { seconds };
  const problem = `${name}: "${text}" is not a number of seconds; using ${DEFAULT_SECONDS}.`;
  return { seconds: DEFAULT_SECONDS, problem };
}
