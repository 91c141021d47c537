import { retry, schedules } from '../../files/retry.ts';
import type { Created, NotificationService } from '../../ledger/notifications/notification-service.ts';
import { withdrawUnanswered } from '../../ledger/notifications/withdraw-unanswered.ts';
import { handOver } from '../../ledger/tasks/hand-over.ts';
import type { By } from '../../schema/actor.ts';
import { isApproved } from '../../schema/approval.ts';
import { FermataError } from '../../schema/error.ts';
import type { CreateInput, Notification, ResumeRecipe } from '../../schema/notification.ts';
import type { Run } from '../../schema/run.ts';
import type { AgentRun, Ask, PermissionAsk } from '../driver.ts';
import { askedBy, ELICITATION } from '../questions/forms.ts';
import { noteOf, permissionQuestion, suggestionTaken } from '../questions/permission-question.ts';
import type { RunOptions } from './run-options.ts';
import { answerUnkept, refusal, settleAlone } from './settle-alone.ts';

/** The run that asks, in which life, and the session that gets the answer. */
interface Asker {
  run: Run;
  life: string;
  sessionId: string | undefined;
}

/** The questions and permissions of one run, from the agent to a person and back. */
export class RunQuestions {
  readonly #options: RunOptions;
  readonly #by: By;
  /** Life and session change during the run. */
  readonly #asker: () => Asker;
  /** The ledger's ids of the agent's questions, keyed by the agent's own ids, which start over in every process. */
  readonly #asked = new Map<string, string>();
  readonly #cancelled = new Set<string>();
  #unsettled = 0;

  constructor(options: RunOptions, by: By, asker: () => Asker) {
    this.#options = options;
    this.#by = by;
    this.#asker = asker;
  }

  get areOpen(): boolean {
    return this.#unsettled > 0;
  }

  /** The ids of another process's questions mean nothing in this one. */
  beginProcess(): void {
    this.#asked.clear();
    this.#cancelled.clear();
  }

  /** The agent does not wait for it any more. */
  async cancel(askId: string): Promise<void> {
    this.#cancelled.add(askId);
    await this.#withdraw(askId);
  }

  /** Stores a question, waits for its answer and brings it to the agent. */
  async ask(agent: AgentRun, ask: Ask, over: AbortSignal): Promise<void> {
    const { ledger, questions } = this.#options;
    if (questions === 'nobody') {
      await agent.answer(ask.id, await answerUnkept(ledger, this.#asker().run, ask, this.#by));
      return;
    }
    this.#hold(1);
    let settled: Notification | undefined;
    try {
      const notification = await this.#storeAsk(ask, over);
      if (!notification) return;
      if (questions === 'assume') await settleAlone(ledger, notification);
      settled = await ledger.notifications.wait(notification.projectId, notification.id, over);
    } catch (error) {
      // The agent has to fix a question that cannot be asked; every other error is ours.
      await agent.answer(ask.id, refusal(this.#asker().run, reasonIfInvalid(error), this.#by));
      return;
    } finally {
      this.#hold(-1);
    }
    const answer = settled;
    if (answer) await handOver(ledger, answer, () => agent.answer(ask.id, answer), this.#by);
  }

  /** One round too many: the question stays in the inbox, and the agent is stopped until somebody resumes it. */
  async askLater(agent: AgentRun, ask: Ask, over: AbortSignal): Promise<void> {
    await this.#storeAsk(ask, over).catch(reasonIfInvalid);
    void agent.stop();
  }

  #storeAsk(ask: Ask, over: AbortSignal): Promise<Notification | undefined> {
    const { fence } = this.#options;
    const { source } = this.#asker().run;
    const claim = fence === undefined ? {} : { fence, keep: true };
    const { questions: bare, asker } = ask;
    const questions = asker === undefined ? bare : askedBy(bare, 'sub-agent', asker);
    return this.#store(ask, { source, questions, ...claim }, over);
  }

  /** Undefined if nobody is left to get the answer. */
  async #store(
    ask: Ask | PermissionAsk,
    asked: Pick<CreateInput, 'source' | 'questions' | 'fence' | 'keep'>,
    over: AbortSignal,
  ): Promise<Notification | undefined> {
    const { run, life } = this.#asker();
    const { projectId, sourceId } = run;
    const input = { projectId, sourceId, resume: this.#recipe(ask), life, ...asked };
    const created = await askPatiently(this.#options.ledger.notifications, input, this.#by, over);
    if (!created) return undefined;
    this.#asked.set(ask.id, created.notification.id);
    if (!this.#cancelled.has(ask.id)) return created.notification;
    await this.#withdraw(ask.id);
    return undefined;
  }

  #hold(step: 1 | -1): void {
    this.#unsettled += step;
    this.#options.onHold?.(this.#unsettled > 0);
  }

  /** Lets a person decide whether the agent may use a tool, unless it was allowed in advance. */
  async permit(agent: AgentRun, permission: PermissionAsk, over: AbortSignal): Promise<void> {
    const { ledger, allows } = this.#options;
    const { id, tool, input } = permission;
    // A yes-or-no question of an MCP server is never a tool that was allowed in advance.
    if (tool !== ELICITATION && allows?.(tool, input)) {
      await agent.permit(id, true);
      return;
    }
    if (this.#options.questions === 'nobody') {
      await agent.permit(id, false, { note: 'This run cannot ask anyone. Continue without it.' });
      return;
    }
    let notification: Notification | undefined;
    try {
      const questions = [permissionQuestion(permission)];
      notification = await this.#store(permission, { source: 'approval', questions }, over);
    } catch (error) {
      // Refuse what we cannot show to a person; the agent can ask for less.
      await agent.permit(id, false, { note: reasonIfInvalid(error) });
      return;
    }
    if (!notification) return;
    this.#hold(1);
    const settled = await ledger.notifications
      .wait(notification.projectId, notification.id, over)
      .finally(() => this.#hold(-1));
    if (!settled) return;
    const [response] = settled.responses;
    // A broader permission ended with the process that it was given to, so an earlier answer is a plain yes.
    const suggestion = notification.status === 'open' ? suggestionTaken(permission, response) : undefined;
    const remark = { note: noteOf(settled), suggestion };
    await handOver(ledger, settled, () => agent.permit(id, isApproved(response), remark), this.#by);
  }

  #recipe(ask: Ask | PermissionAsk): ResumeRecipe {
    const { id: askId, callId: toolCallId = askId, parent, elicitation }: Omit<Ask, 'questions'> = ask;
    const { run, sessionId } = this.#asker();
    const { agent, cwd, id, source, sourceId } = run;
    return {
      agent,
      ...(sessionId ? { sessionId } : {}),
      toolCallId,
      ...(parent === undefined ? {} : { subAgent: parent }),
      ...(elicitation ? { elicitation } : {}),
      cwd,
      run: id,
      ...(source === 'execute' ? { task: sourceId } : {}),
    };
  }

  async #withdraw(askId: string): Promise<void> {
    const id = this.#asked.get(askId);
    if (!id) return;
    const { run } = this.#asker();
    const { projectId } = run;
    const reason = 'The agent withdrew the question.';
    await withdrawUnanswered(this.#options.ledger, { projectId, id }, reason, this.#by, run);
  }
}

/** Why a question cannot be asked; throws every other error. */
function reasonIfInvalid(error: unknown): string {
  if (!(error instanceof FermataError) || error.code !== 'invalid') throw error;
  return error.message;
}

/**
 * Asks on behalf of an agent that Fermata runs. An agent that asks too fast waits for its turn, so no question is lost.
 * Undefined after an abort.
 */
export async function askPatiently(
  notifications: NotificationService,
  asked: CreateInput,
  by: By,
  signal: AbortSignal,
): Promise<Created | undefined> {
  if (signal.aborted) return undefined;
  try {
    return await retry(
      schedules.asLongAsItSays,
      ({ error }) => isTooFast(error) && (error.details as { retryAfter: number }).retryAfter * 1000,
      () => notifications.create(asked, by),
      { signal },
    );
  } catch (error) {
    if (isTooFast(error) && signal.aborted) return undefined;
    throw error;
  }
}

const isTooFast = (error: unknown): error is FermataError =>
  error instanceof FermataError && error.code === 'rate_limited';
