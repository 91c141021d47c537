import { fromElicitationResult } from '../ledger/forms/elicitation-result.ts';
import { type ElicitationForm, toMcpElicitation } from '../ledger/forms/elicitation-writer.ts';
import { asOffered } from '../ledger/forms/offered-options.ts';
import { withdrawUnanswered } from '../ledger/notifications/withdraw-unanswered.ts';
import { handOver } from '../ledger/tasks/hand-over.ts';
import { FermataError } from '../schema/error.ts';
import { isForProcess } from '../schema/is-question.ts';
import type { CreateInput, Notification } from '../schema/notification.ts';
import { type Asker, refuseForeign } from './asker.ts';
import type { Forms, ToolCall, ToolReply, ToolResult } from './server.ts';

interface HeldQuestion extends Pick<CreateInput, 'source' | 'questions'> {
  toolCallId?: string;
  /** Whether the client may show it to the person. */
  inClient?: true;
}

/** Stores the question, waits as long as it takes, and marks it delivered once the result is on its way. */
export async function hold(
  asker: Asker,
  call: ToolCall,
  { toolCallId, inClient, ...question }: HeldQuestion,
  give: (settled: Notification) => ToolReply,
): Promise<ToolResult> {
  const { ledger, projectId, on, cwd, by } = asker;
  const resume = { agent: call.client, ...(cwd ? { cwd } : {}), ...(toolCallId ? { toolCallId } : {}) };
  const { notification } = await ledger.notifications.create(
    { ...question, projectId, ...on, resume },
    by,
    (open) => refuseForeign(asker, open),
  );
  const isOpen = notification.status === 'open';
  const forms = inClient && isOpen && asker.person ? call.forms : undefined;
  if (forms?.kind === 'returned') {
    if (forms.reply === undefined) return { form: clientForm(notification) };
    await answerFromForm(asker, notification, forms.reply);
  }
  if (isOpen) call.waitsFor(notification.id);
  const over = new AbortController();
  if (forms?.kind === 'sent')
    void askInClient(asker, notification, forms, AbortSignal.any([over.signal, call.signal]));
  const settled = await ledger.notifications
    .wait(projectId, notification.id, call.signal)
    .finally(() => over.abort());
  if (!settled) return giveUp(asker, call, notification);
  const sent = () => handOver(ledger, settled, async () => true, by);
  return { ...give(settled), sent };
}

/** Nobody waits here any more. A permission needs a process that waits for it; a question can be asked again later. */
async function giveUp({ ledger, by }: Asker, { signal }: ToolCall, asked: Notification): Promise<never> {
  const { id } = asked;
  if (isForProcess(asked) || isInterrupt(signal.reason)) {
    await withdrawUnanswered(ledger, asked, 'The agent no longer waits for it.', by);
    throw new FermataError('gone', `Question ${id} was withdrawn, because you no longer wait for it.`);
  }
  throw new FermataError(
    'unavailable',
    `Nobody has answered yet; question ${id} stays open. Call get_answer with this id later, or ask the same question again.`,
  );
}

/** A client that gives up on a slow call may ask for the answer later; one whose turn was interrupted will not. */
const isInterrupt = (reason: unknown) =>
  typeof reason === 'string' &&
  /abort|cancel|interrupt/i.test(reason) &&
  !/time[ds]?[ -]?out|deadline|exceed|expire|elapse/i.test(reason);

/** The open questions of a notification, as a form for the person who uses the client. */
function clientForm({ questions, responses }: Notification): ElicitationForm {
  const open = questions.filter(({ id }) => !responses.some(({ questionId }) => questionId === id));
  return toMcpElicitation(open.map(asOffered));
}

/** Shows the form in addition to all other places to answer, and closes it when somebody else was first. */
async function askInClient(
  asker: Asker,
  asked: Notification,
  { show }: Extract<Forms, { kind: 'sent' }>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await answerFromForm(asker, asked, await show(clientForm(asked), signal));
  } catch (error) {
    if (!signal.aborted) asker.report(error);
  }
}

/** What was not answered in the form stays open elsewhere. */
async function answerFromForm(
  { ledger, person, report }: Asker,
  asked: Notification,
  result: unknown,
): Promise<void> {
  if (!person) return;
  try {
    const reply = fromElicitationResult(clientForm(asked), result);
    // A client without a person declines by itself, which is not a person's decision.
    if (reply && 'responses' in reply)
      await ledger.notifications.resolve(asked.projectId, asked.id, reply, person);
  } catch (error) {
    if (!isOver(error)) report(error);
  }
}

/** Somebody else was first. */
const isOver = (error: unknown) =>
  error instanceof FermataError && (error.code === 'gone' || error.code === 'conflict');
