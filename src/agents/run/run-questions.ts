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
    const { ledger } = this.#options;
    if (this.#options.questions === 'nobody') {
      await agent.answer(ask.id, await answerUnkept(ledger, this.#asker().run, ask, this.#by));
      return;
    }
    this.#hold(1);
    let settled: Notification | undefined;
    try {
      const notification = await this.#store(ask, over);
      if (!notification) return;
      if (this.#options.questions === 'assume') await settleAlone(ledger, notification);
      settled = await ledger.notifications.wait(notification.projectId, notification.id, over);
    } catch (error) {
      // The agent has to fix a question that cannot be asked; every other error is ours.
      if (!(error instanceof FermataError) || error.code !== 'invalid') throw error;
      await agent.answer(ask.id, refusal(this.#asker().run, error.message, this.#by));
      return;
    } finally {
      this.#hold(-1);
    }
    const given = settled;
    if (given) await handOver(ledger, given, () => agent.answer(ask.id, given), this.#by);
  }

  /** One round too many: the question stays in the inbox, and the agent is stopped until somebody resumes it. */
  async askLater(agent: AgentRun, ask: Ask, over: AbortSignal): Promise<void> {
    try {
      await this.#store(ask, over);
    } catch (error) {
      if (!(error instanceof FermataError) || error.code !== 'invalid') throw error;
    }
    void agent.stop();
  }

  /** Stores a question. Undefined if nobody is left to get the answer. */
  async #store(ask: Ask, over: AbortSignal): Promise<Notification | undefined> {
    const { ledger, fence } = this.#options;
    const { run, life } = this.#asker();
    const { projectId, source, sourceId } = run;
    const claim = fence === undefined ? {} : { fence, keep: true };
    const { questions: bare, asker } = ask;
    const questions = asker === undefined ? bare : askedBy(bare, 'sub-agent', asker);
    const own = { resume: this.#recipe(ask), life, ...claim };
    const asked = { projectId, source, sourceId, questions, ...own };
    const created = await askPatiently(ledger.notifications, asked, this.#by, over);
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
    const { run, life } = this.#asker();
    const { projectId, sourceId } = run;
    let notification: Notification;
    try {
      const questions = [permissionQuestion(permission)];
      const resume = this.#recipe(permission);
      const asked = { projectId, source: 'approval' as const, sourceId, questions, resume, life };
      const created = await askPatiently(ledger.notifications, asked, this.#by, over);
      if (!created) return;
      notification = created.notification;
    } catch (error) {
      // Refuse what we cannot show to a person; the agent can ask for less.
      if (!(error instanceof FermataError) || error.code !== 'invalid') throw error;
      await agent.permit(id, false, { note: error.message });
      return;
    }
    this.#asked.set(id, notification.id);
    if (this.#cancelled.has(id)) return this.#withdraw(id);
    this.#hold(1);
    const settled = await ledger.notifications
      .wait(projectId, notification.id, over)
      .finally(() => this.#hold(-1));
    if (!settled) return;
    const [response] = settled.responses;
    // A broader permission ended with the process that it was given to, so an earlier answer is a plain yes.
    const suggestion = notification.status === 'open' ? suggestionTaken(permission, response) : undefined;
    const remark = { note: noteOf(settled), suggestion };
    await handOver(ledger, settled, () => agent.permit(id, isApproved(response), remark), this.#by);
  }

  #recipe({
    id: askId,
    callId: toolCallId = askId,
    parent,
    elicitation,
  }: Pick<Ask, 'id' | 'callId' | 'parent' | 'elicitation'>): ResumeRecipe {
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
