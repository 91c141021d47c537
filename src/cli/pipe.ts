import { PipeConversation } from '../channels/pipe/pipe-conversation.ts';
import type { PipeItem } from '../channels/pipe/pipe-question.ts';
import { pipeMode, pipeTimeout } from '../config/pipe.ts';
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
