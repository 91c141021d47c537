import { asked } from '../../channels/asked.ts';
import { attend } from '../../channels/attend.ts';
import type { Above } from '../../channels/line-reader.ts';
import { optionsInALine } from '../../channels/present.ts';
import { verbatimBlock } from '../../channels/verbatim-block.ts';
import { cmd } from '../../schema/command-line.ts';
import { isApproval } from '../../schema/is-question.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';
import { visible } from '../../schema/visible.ts';
import { isAtTerminal } from '../at-terminal.ts';
import type { CommandContext } from '../command-context.ts';
import { exit } from '../exit.ts';
import { tell } from '../output.ts';
import type { PipeAttention } from '../pipe-attention.ts';
import type { StdinAnswers } from '../stdin-answers.ts';

export interface Attention {
  projectId: string;
  /** Whose questions are asked here. */
  concerns(notification: Notification): boolean;
  stop: AbortController;
  /** Whether to ask in this terminal, if there is one. */
  prompt: boolean;
  /** The parent process, if it is asked instead. */
  pipe?: PipeAttention | undefined;
  /** Answers on stdin, if that is not a terminal. */
  stdin?: StdinAnswers | undefined;
  /** Called when a question appears on the screen, and when it is gone. */
  onAsking?(asking: boolean): void;
  /** What stays above the prompt. */
  above?: Above;
}

/**
 * Runs work with an agent and asks its questions at this terminal or through the parent process. Without either, prints
 * each question with how to answer it, unless stdin has the answer. Ctrl-C stops the work cleanly; a second one ends it
 * at once.
 */
export async function attended<T>(
  context: CommandContext,
  { projectId, concerns, stop, prompt, pipe, stdin, above, onAsking = () => undefined }: Attention,
  work: () => Promise<T>,
): Promise<T> {
  const interrupt = () => stop.abort('interrupted');
  // Pressed again during the clean-up: do not wait for it. Processes on a leash end with us.
  const press = () => (stop.signal.aborted ? process.exit(exit.interrupted) : interrupt());
  process.on('SIGINT', press).on('SIGTERM', interrupt);
  const over = new AbortController();
  const signal = AbortSignal.any([stop.signal, over.signal]);
  const inTerminal = prompt && isAtTerminal();
  const io = { input: process.stdin, output: process.stderr, above };
  const attending = pipe
    ? pipe.attend(projectId, concerns, signal)
    : inTerminal
      ? attend(context.ledger, projectId, concerns, context.by('terminal'), io, signal, onAsking)
      : sayHowToAnswer(context, projectId, concerns, signal, stdin);
  // If the ledger cannot be read any more, the work gets the same error and reports it.
  const watched = attending.then((broken) => broken && interrupt(), interrupt);
  try {
    return await work();
  } finally {
    over.abort();
    stdin?.close();
    await watched;
    process.off('SIGINT', press).off('SIGTERM', interrupt);
  }
}

async function sayHowToAnswer(
  { ledger }: CommandContext,
  projectId: string,
  concerns: (notification: Notification) => boolean,
  signal: AbortSignal,
  stdin: StdinAnswers | undefined,
): Promise<false> {
  for await (const notification of asked(ledger, projectId, concerns, signal)) {
    const { id } = notification;
    if (await stdin?.answer(notification, signal)) continue;
    const lines = notification.questions.map((question) => inALine(notification, question));
    const what = lines.length > 1 ? `\n  ${lines.join('\n  ')}` : ` ${lines.join('')}`;
    tell(
      `${askerInWords(notification)}:${what}\n  ${cmd`answer ${id}`}${' VALUE'.repeat(leastValues(notification))}${orFillIn(notification)}`,
    );
  }
  return false;
}

/** Says where the subject of a gate is, because nobody could test it otherwise. */
function inALine({ gate }: Notification, question: Question): string {
  const line = [visible(question.text), optionsInALine(question)].filter(Boolean).join('  ');
  const where = gate && question.context ? visible(question.context).split('\n') : [];
  const shown = (question.verbatim ?? []).flatMap((piece) =>
    verbatimBlock(piece, { columns: (process.stderr.columns ?? 120) - 4 }),
  );
  return [line, ...where, ...shown].join('\n    ');
}

const orFillIn = ({ gate }: Notification) => (gate ? `\n  or fill in ${gate.file}` : '');

/** Remarks at a human gate are optional. */
function leastValues({ gate, questions }: Notification): number {
  const decisive = questions.filter(({ options }) => options !== undefined).length;
  return gate && decisive > 0 ? decisive : questions.length;
}

/** Who asks: an agent, or the plan, which stops here for a person. */
function askerInWords({ kind, sourceId, holds, gate }: Notification): string {
  if (gate) {
    const phase = gate.phase ? ` of phase ${gate.phase}${gate.variant ? ` ${gate.variant}` : ''}` : '';
    return `The ${gate.kind} gate${phase} waits for you`;
  }
  if (isApproval({ kind })) return `The agent of ${sourceId} asks for approval`;
  return holds.task !== undefined ? `The agent of ${sourceId} asks` : 'The agent asks';
}
