import { optionsInALine } from '../../channels/present.ts';
import { cmd } from '../../schema/command-line.ts';
import type { Notification } from '../../schema/notification.ts';
import { toFeedback } from '../../schema/work.ts';
import { keepAnswer } from '../../work/kinds/keep-answer.ts';
import type { Unfinished } from '../../work/kinds/roles/consult-role.ts';
import type { CommonOptions } from '../command.ts';
import type { CommandContext } from '../command-context.ts';
import { exit } from '../exit.ts';
import { printJson, tell } from '../output.ts';
import { oneLine } from '../table.ts';

/** Says why a role has no answer yet, and how to continue: waiting for a person, interrupted, or unreadable. */
export async function reportUnfinished(
  context: CommandContext,
  { task, why: consulted }: Unfinished,
  interrupted: boolean,
  resumeCommand: string,
  options: CommonOptions,
): Promise<void> {
  const { code, message, exitCode } = told(context, consulted, interrupted, resumeCommand);
  tell(`fermata: ${message}`);
  process.exitCode = exitCode;
  if (options.format !== 'json') return;
  const questions = consulted.kind === 'waiting' ? consulted.open : [];
  const asked = task.kind === 'feedback' ? { feedback: toFeedback(task) } : { task: task.id };
  await printJson({ ...asked, questions, error: { code, message } });
}

function told(
  context: CommandContext,
  consulted: Unfinished['why'],
  interrupted: boolean,
  resumeCommand: string,
) {
  if (interrupted) {
    const message = `Interrupted. Nothing is lost. Continue with: ${resumeCommand}`;
    return { code: 'interrupted', message, exitCode: exit.interrupted };
  }
  switch (consulted.kind) {
    case 'waiting':
      return {
        code: 'waiting',
        message: `${howToAnswer(consulted.open)}\nThen: ${resumeCommand}`,
        exitCode: exit.waiting,
      };
    case 'stopped': {
      const { end, run } = consulted;
      const next =
        run.status === 'waiting'
          ? `Nothing is lost. Continue with: ${resumeCommand}`
          : `Retry with: ${resumeCommand}`;
      return { code: end.reason, message: `${end.message} ${next}`, exitCode: exit.agent };
    }
    case 'given_up': {
      const { text = '', findings: why = '' } = consulted.sentBack.at(-1) ?? {};
      const message = `The agent's answer is unusable: ${why} It is kept in ${keepAnswer(context, consulted.run, text)}. Retry with: ${resumeCommand}`;
      return { code: 'unreadable', message, exitCode: exit.failed };
    }
    default: {
      const never: never = consulted;
      return never;
    }
  }
}

function howToAnswer(open: Notification[]): string {
  const lines = open.flatMap(({ id, questions }) => [
    ...questions.flatMap((question) => [
      `  ${oneLine(question.text)}`,
      ...(question.options ? [`    ${optionsInALine(question)}`] : []),
    ]),
    `  ${cmd`answer ${id}`}${' VALUE'.repeat(questions.length)}`,
  ]);
  return ['A person has to answer first:', ...lines].join('\n');
}
