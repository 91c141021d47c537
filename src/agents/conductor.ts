import { handOver } from '../ledger/hand-over.ts';
import type { By } from '../schema/actor.ts';
import { FermataError } from '../schema/error.ts';
import type { Notification, ResumeRecipe } from '../schema/notification.ts';
import type { Run } from '../schema/run.ts';
import { ASSUME } from './answer-text.ts';
import {
  agentOf,
  type Conducted,
  type Conducting,
  isQuestion,
  isUndelivered,
  withdrawApprovals,
} from './conducting.ts';
import type { AgentEvent, AgentRun, Ask, RunEnd } from './driver.ts';
import { keepLease, LEASE_SECONDS } from './lease.ts';
import { Pending } from './pending.ts';
import { permissionQuestion } from './permission-question.ts';
import { refusal } from './refusal.ts';
import { RunReporter } from './run-reporter.ts';

/** Follows the processes of one run while it is ours, and keeps the ledger in step with them. */
export class Conductor {
  /** The agent's model has said or done something: it has what it was started with. */
  heard = false;
  readonly #options: Conducting;
  readonly #run: Run;
  readonly #by: By;
  readonly #lease: { stop(): void; lost: AbortSignal };
  readonly #reporter: RunReporter;
  /** The ledger's ids of what the agent has asked, by the agent's own. */
  readonly #asked = new Map<string, string>();
  readonly #cancelled = new Set<string>();
  #sessionId: string | undefined;
  #rounds: number;
  #unsettled = 0;

  constructor(options: Conducting, run: Run) {
    this.#options = options;
    this.#run = run;
    this.#by = agentOf(options.driver);
    this.#sessionId = run.sessionId ?? undefined;
    this.#rounds = Number(run.data.rounds ?? 0);
    this.#lease = keepLease(() => options.ledger.runs.heartbeat(run, LEASE_SECONDS, this.#by));
    this.#reporter = new RunReporter(options.ledger, run, this.#by);
  }

  /**
   * Follows an agent to its end. `brought` was given to it with its start, and is delivered once it reacts. Whatever
   * goes wrong on our side, the agent is ended before that is told.
   */
  async play(agent: AgentRun, brought: Notification[]): Promise<RunEnd> {
    const stop = () => void agent.stop();
    const signals = [this.#lease.lost, ...(this.#options.signal ? [this.#options.signal] : [])];
    for (const signal of signals) signal.addEventListener('abort', stop);
    const over = new AbortController();
    const pending = new Pending(stop);
    try {
      if (signals.some((signal) => signal.aborted)) stop();
      for await (const event of agent.events) {
        await this.#hear(agent, event, brought, pending, over.signal);
        this.#reporter.hear(event);
        this.#options.onEvent?.(event);
      }
    } catch (error) {
      pending.fail(error);
      await agent.stop();
    } finally {
      over.abort();
      for (const signal of signals) signal.removeEventListener('abort', stop);
    }
    const end = await agent.ended;
    await this.#reporter.flush();
    await pending.all();
    if (end.reason === 'ok') await this.#delivered(brought);
    return this.#told(end);
  }

  /** The agent does not know its session any more; the next one that it names is the one to resume. */
  async forgetSession(): Promise<void> {
    this.#sessionId = undefined;
    await this.#options.ledger.runs.forgetSession(this.#run);
  }

  /** A run that has something to receive, or was broken off, waits; any other has ended. */
  async close(end: RunEnd): Promise<Conducted> {
    const { runs } = this.#options.ledger;
    const { projectId, id } = this.#run;
    await withdrawApprovals(this.#options.ledger, this.#run, this.#by);
    const waiting = (await runs.questions(projectId, id)).filter(isQuestion).filter(isUndelivered);
    const goesOn =
      end.reason !== 'ok' && (waiting.length > 0 || end.reason === 'stopped' || end.reason === 'parked');
    const { reason, message, exitCode, signal, usage, text } = end;
    const run = goesOn
      ? await runs.wait(this.#run, this.#by)
      : await runs.end(this.#run, { reason, message, exitCode, signal, usage }, text, this.#by);
    this.#lease.stop();
    return { run, end, waiting: goesOn ? waiting : [], rounds: this.#rounds };
  }

  /** Something went wrong on our side: somebody may take the run up at once. */
  async abandon(): Promise<void> {
    this.#lease.stop();
    // The error that is being told already says more than this one could.
    await this.#options.ledger.runs.wait(this.#run, this.#by).catch(() => undefined);
  }

  async #hear(
    agent: AgentRun,
    event: AgentEvent,
    brought: Notification[],
    pending: Pending,
    over: AbortSignal,
  ): Promise<void> {
    switch (event.kind) {
      case 'session':
        this.#sessionId ??= event.sessionId;
        await this.#options.ledger.runs.setSession(this.#run, event.sessionId, this.#by);
        return;
      case 'question':
        if (await this.#newRound()) pending.add(this.#ask(agent, event.ask, over));
        else void agent.stop();
        break;
      case 'permission':
        pending.add(this.#permit(agent, event, over));
        break;
      case 'cancelled':
        this.#cancelled.add(event.askId);
        await this.#withdraw(event.askId);
        return;
      case 'text':
      case 'tool':
      case 'usage':
        break;
      default: {
        const never: never = event;
        return never;
      }
    }
    if (this.heard) return;
    this.heard = true;
    await this.#delivered(brought);
  }

  /** Counts a round of questions, in the run, so that it counts over all processes; false when it is one too many. */
  async #newRound(): Promise<boolean> {
    // Questions that come while others are open belong to the same round.
    if (this.#unsettled > 0) return true;
    this.#rounds += 1;
    await this.#options.ledger.runs.setData(this.#run, { ...this.#run.data, rounds: this.#rounds });
    return this.#rounds <= (this.#options.maxRounds ?? Number.POSITIVE_INFINITY);
  }

  async #ask(agent: AgentRun, ask: Ask, over: AbortSignal): Promise<void> {
    const { ledger, fence } = this.#options;
    const { projectId, source, sourceId } = this.#run;
    const claim = fence === undefined ? {} : { fence, keep: true };
    this.#hold(1);
    let settled: Notification | undefined;
    try {
      const resume = this.#recipe(ask.id);
      const asked = { projectId, source, sourceId, questions: ask.questions, resume, ...claim };
      const { notification } = await ledger.notifications.create(asked, this.#by);
      this.#asked.set(ask.id, notification.id);
      if (this.#cancelled.has(ask.id)) return await this.#withdraw(ask.id);
      if (this.#options.questions === 'assume') await this.#assume(notification);
      settled = await ledger.notifications.wait(projectId, notification.id, over);
    } catch (error) {
      // A question that cannot be asked is the agent's to ask better; everything else is ours.
      if (!(error instanceof FermataError) || error.code !== 'invalid') throw error;
      await agent.answer(ask.id, refusal(this.#run, error.message, this.#by));
      return;
    } finally {
      this.#hold(-1);
    }
    const given = settled;
    if (given) await handOver(ledger, given, () => agent.answer(ask.id, given), this.#by);
  }

  #hold(step: 1 | -1): void {
    this.#unsettled += step;
    this.#options.onHold?.(this.#unsettled > 0);
  }

  async #assume({ projectId, id, questions }: Notification): Promise<void> {
    const by: By = { actor: { kind: 'policy', name: 'assume' }, channel: 'ledger' };
    const responses = questions.map((question) => ({ questionId: question.id, answer: ASSUME }));
    await this.#options.ledger.notifications.resolve(projectId, id, { responses }, by);
  }

  async #permit(
    agent: AgentRun,
    { id, tool, input }: Extract<AgentEvent, { kind: 'permission' }>,
    over: AbortSignal,
  ): Promise<void> {
    const { ledger, allows } = this.#options;
    if (allows?.(tool, input)) {
      await agent.permit(id, true);
      return;
    }
    const { projectId, sourceId } = this.#run;
    const questions = [permissionQuestion(tool, input)];
    const asked = { projectId, source: 'approval' as const, sourceId, questions, resume: this.#recipe(id) };
    const { notification } = await ledger.notifications.create(asked, this.#by);
    this.#asked.set(id, notification.id);
    if (this.#cancelled.has(id)) return this.#withdraw(id);
    this.#hold(1);
    const settled = await ledger.notifications
      .wait(projectId, notification.id, over)
      .finally(() => this.#hold(-1));
    if (!settled) return;
    const [response] = settled.responses;
    const allowed = response?.kind === 'answered' && response.answer === 'Approve';
    const note = response?.kind === 'answered' ? response.note : settled.reason;
    const why = allowed ? undefined : (note ?? 'The person refused it.');
    await handOver(ledger, settled, () => agent.permit(id, allowed, why), this.#by);
  }

  #recipe(toolCallId: string): ResumeRecipe {
    const { agent, cwd, id, source, sourceId } = this.#run;
    return {
      agent,
      ...(this.#sessionId ? { sessionId: this.#sessionId } : {}),
      toolCallId,
      cwd,
      run: id,
      ...(source === 'execute' ? { task: sourceId } : {}),
    };
  }

  async #withdraw(askId: string): Promise<void> {
    const id = this.#asked.get(askId);
    if (!id) return;
    const { notifications } = this.#options.ledger;
    try {
      await notifications.withdraw(this.#run.projectId, id, 'The agent took the question back.', this.#by);
      await notifications.markDelivered(this.#run.projectId, id, this.#by);
    } catch (error) {
      // Answered in the same moment: that stands.
      if (!(error instanceof FermataError) || error.code !== 'conflict') throw error;
    }
  }

  async #delivered(brought: Notification[]): Promise<void> {
    for (const { projectId, id } of brought.splice(0)) {
      await this.#options.ledger.notifications.markDelivered(projectId, id, this.#by);
    }
  }

  #told(end: RunEnd): RunEnd {
    const { maxRounds } = this.#options;
    if (maxRounds === undefined || this.#rounds <= maxRounds) return end;
    const message = `The agent was stopped: it came back with questions more than ${maxRounds} times.`;
    return { ...end, reason: 'too_many_rounds', message };
  }
}
