import { type Command, Option } from 'commander';
import { taskForQuestion } from '../../agents/agent-task.ts';
import { pipeItemsOf } from '../../channels/pipe/pipe-question.ts';
import { describeOutcome } from '../../channels/present.ts';
import { readReply } from '../../channels/reply.ts';
import { answerInTerminal } from '../../channels/terminal.ts';
import { MAX_TIMER, parseDuration, parseMilliseconds } from '../../config/duration.ts';
import { newId } from '../../ledger/ids.ts';
import { isFinal } from '../../ledger/notifications/notification-machine.ts';
import { normalizeQuestions } from '../../ledger/notifications/questions.ts';
import { handOver } from '../../ledger/tasks/hand-over.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import type { CreateInput, Notification, Policy } from '../../schema/notification.ts';
import { Category } from '../../schema/question.ts';
import { visible } from '../../schema/visible.ts';
import { viewOf } from '../../text/question-view.ts';
import { isAtTerminal } from '../at-terminal.ts';
import { type CommonOptions, collect } from '../command.ts';
import { type CommandContext, withCommandContext } from '../command-context.ts';
import { exit } from '../exit.ts';
import { interruptible } from '../interrupt.ts';
import { print, printJson, tell } from '../output.ts';
import { openPipe, refuseAgent, takesPipe } from '../pipe.ts';

interface AskOptions extends CommonOptions {
  option?: string[];
  multi?: true;
  recommend?: string;
  header?: string;
  context?: string;
  category?: string;
  default?: string;
  after?: string;
  timeout?: string;
  task?: string;
  key?: string;
  again?: true;
  prompt: boolean;
}

export function define(command: Command): void {
  command
    .description(
      'Ask a question and wait for the answer, from any channel. Only the answer is printed to stdout.',
    )
    .argument('<text...>', 'the question')
    .option(
      '-o, --option <label>',
      'a possible answer (repeatable); "label: description" explains it',
      collect,
    )
    .option('-m, --multi', 'allow several options')
    .option('--recommend <label>', 'the option you recommend')
    .option('--header <text>', 'a few words to show above the question')
    .option('--context <text>', 'background that helps to answer')
    .addOption(new Option('--category <kind>', 'the kind of decision').choices(Category.options))
    .option(
      '--default <answer>',
      'use this answer if nobody answers (requires --after); from an agent it is only a proposal',
    )
    .option('--after <duration>', 'when the default applies: 90, 30s, 5m, 4h')
    .option('--timeout <duration>', 'stop waiting after this time with exit code 3; the question stays open')
    .option('--task <id>', "the task that waits for the answer (default: the task of this agent's run)")
    .option(
      '--key <key>',
      'a name for this question: once answered, the same command prints the recorded answer at once',
    )
    .option('--again', 'ask again, even if there is already an answer')
    .option('--no-prompt', 'only wait, do not ask in this terminal')
    .addHelpText(
      'after',
      `
Examples:
  fermata ask "Which database?" --option PostgreSQL --option SQLite --recommend SQLite
  fermata ask "Deploy now?" -o yes -o no --timeout 10m || echo "nobody answered"
  fermata ask "Which region?" --default eu-west --after 4h
  fermata ask "Which database?" --key database      asked only once, even if the script runs again

Exit codes: 0 answered, 1 settled without an answer (skipped, dismissed, withdrawn, expired),
3 still waiting after --timeout, 130 interrupted. After 3 and 130 the question stays open.`,
    )
    .action(async (words: string[], options: AskOptions) => {
      if (words.join('').trim() === '')
        throw new FermataError('invalid', `The question is missing. Pass it as text: ${cmd`ask TEXT`}`);
      const usesPipe = takesPipe();
      await withCommandContext(options, (context) => ask(context, words.join(' '), options, usesPipe));
    });
}

async function ask(
  context: CommandContext,
  text: string,
  options: AskOptions,
  usesPipe: boolean,
): Promise<void> {
  if (usesPipe) refuseAgent(context);
  const timeoutMs =
    options.timeout !== undefined ? parseMilliseconds(options.timeout, '--timeout') : undefined;
  const project = await context.project();
  const on = await taskForQuestion(context.ledger, project.id, options.task, process.env);
  const input = {
    ...createInput(project.id, text, options),
    // An agent without a task asks on behalf of its run.
    ...(on ? { ...on, resume: recipe(on.source === undefined ? on.sourceId : undefined) } : {}),
  };
  // Starts before the question is stored, because a signal right after that must not end the command silently.
  await interruptible((interrupted) =>
    askAndWait(context, input, { timeoutMs, options, usesPipe, interrupted }),
  );
}

interface Waiting {
  timeoutMs: number | undefined;
  options: AskOptions;
  usesPipe: boolean;
  interrupted: AbortSignal;
}

async function askAndWait(context: CommandContext, input: CreateInput, waiting: Waiting): Promise<void> {
  const { options } = waiting;
  const { notification } = await context.ledger.notifications.create(input, context.by('command'));
  const { proposal } = viewOf(notification);
  if (proposal !== undefined)
    tell(
      `Only a person can set a default here, so the question stays open until someone answers. ${visible(proposal)}`,
    );
  const settled = isFinal(notification.status) ? notification : await waitFor(context, notification, waiting);
  if (settled) await handOver(context.ledger, settled, (now) => give(now, options), context.by('command'));
}

async function waitFor(
  context: CommandContext,
  notification: Notification,
  { timeoutMs, options, usesPipe, interrupted }: Waiting,
): Promise<Notification | undefined> {
  const { ledger } = context;
  const { projectId, id } = notification;
  const giveUp = new AbortController();
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => giveUp.abort('timeout'), Math.min(timeoutMs, MAX_TIMER));
  const interrupt = () => giveUp.abort('interrupted');
  if (interrupted.aborted) interrupt();
  interrupted.addEventListener('abort', interrupt, { once: true });
  const items = usesPipe ? pipeItemsOf(notification) : [];
  const pipe = usesPipe ? openPipe(context, items) : undefined;
  try {
    if (pipe) {
      // Without an answer in time, it waits like any other question; the pipe still accepts a late answer.
      if (!(await pipe.askAll(items, giveUp.signal))) giveUp.abort('interrupted');
    } else if (options.prompt && isAtTerminal()) {
      const io = { input: process.stdin, output: process.stderr };
      const result = await answerInTerminal(
        ledger,
        [notification],
        context.by('terminal'),
        io,
        giveUp.signal,
      );
      if (result.interrupted) giveUp.abort('interrupted');
      else if (result.refused[0] && result.refused[0].code !== 'conflict') throw result.refused[0];
    } else {
      tell(`Waiting for an answer to ${id}. Answer with: ${cmd`answer ${id} VALUE`}`);
    }
    const settled = await ledger.notifications.wait(projectId, id, giveUp.signal);
    if (!settled)
      await stopWaiting(await ledger.notifications.get(projectId, id), giveUp.signal.reason, options);
    return settled;
  } finally {
    clearTimeout(timer);
    await pipe?.close();
  }
}

async function stopWaiting(open: Notification, why: unknown, options: AskOptions): Promise<void> {
  const after = why === 'timeout' ? 'Nobody has answered yet' : 'Interrupted';
  tell(
    `${after}; question ${open.id} stays open. Answer it with "${cmd`answer ${open.id} VALUE`}", or withdraw it with "${cmd`withdraw ${open.id}`}".`,
  );
  if (options.format === 'json') await printJson({ notification: open });
  process.exitCode = why === 'timeout' ? exit.waiting : exit.interrupted;
}

async function give(settled: Notification, options: AskOptions): Promise<void> {
  if (options.format === 'json') await printJson({ notification: settled });
  if (settled.outcome !== 'answered') {
    tell(`No answer: ${describeOutcome(settled)}.`);
    process.exitCode = exit.failed;
    return;
  }
  if (settled.resolvedBy?.actor.kind === 'policy')
    tell(`Answered by ${describeOutcome(settled).replace(/\.?$/, '.')}`);
  if (options.format === 'json') return;
  for (const response of settled.responses) {
    if (response.kind === 'answered') await print([response.answer].flat().join('\n'));
  }
}

function createInput(projectId: string, text: string, options: AskOptions): CreateInput {
  const asked = {
    text,
    header: options.header,
    context: options.context,
    category: options.category,
    multi: options.multi,
    recommended: options.recommend,
    options: readOptions(options),
  };
  const policy = policyOf(options, asked);
  return {
    projectId,
    source: 'execute',
    sourceId: options.key ?? newId('ask'),
    questions: [asked],
    resume: recipe(),
    ...(options.key ? { key: options.key } : {}),
    ...(options.again ? { again: true } : {}),
    ...(policy ? { policy } : {}),
  };
}

const recipe = (task?: string) => ({ agent: 'command', cwd: process.cwd(), ...(task ? { task } : {}) });

function policyOf(options: AskOptions, asked: object): Policy | undefined {
  if (options.default === undefined && options.after === undefined) return undefined;
  if (options.default === undefined || options.after === undefined) {
    throw new FermataError('invalid', 'Pass --default ANSWER and --after DURATION together.');
  }
  const [question] = normalizeQuestions([asked], '').questions;
  if (!question) return undefined;
  const reply = readReply(options.default, question, 'question');
  if (reply.kind !== 'answer') {
    const why = reply.kind === 'skip' ? 'the default must be an answer.' : reply.message;
    throw new FermataError('invalid', `--default: ${why}`);
  }
  return { kind: 'default', after: parseDuration(options.after, '--after'), answers: { q1: reply.answer } };
}

function readOptions({ option, recommend }: AskOptions): { label: string }[] | undefined {
  const read = option?.map(readOption);
  const labels = read?.map(({ label }) => label) ?? [];
  const twice = labels.find((label, index) => labels.indexOf(label) !== index);
  if (twice !== undefined) throw new FermataError('invalid', `--option "${twice}" is duplicated.`);
  if (recommend !== undefined && labels.length > 0 && !labels.includes(recommend)) {
    throw new FermataError(
      'invalid',
      `--recommend "${recommend}" is not one of the options: ${labels.join(', ')}.`,
    );
  }
  return read;
}

/** `label: description`, as a person writes it; a colon without a following space belongs to the label. */
function readOption(text: string): { label: string; description?: string } {
  const [, label, description] = /^([^:]+):\s+(.+)$/s.exec(text) ?? [];
  return label && description ? { label: label.trim(), description } : { label: text };
}
