import { crashPoint } from '../../ledger/crash-point.ts';
import { newId } from '../../ledger/ids.ts';
import type { By } from '../../schema/actor.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Run, RunEnding, RunProgress } from '../../schema/run.ts';
import type { ChatMessage } from '../../schema/task.ts';
import { admitted } from '../door/admitted.ts';
import type { PassClaims } from '../door/door.ts';
import {
  type AgentEvent,
  type AgentRun,
  type AgentSetup,
  addUsage,
  type RunEnd,
  type Usage,
} from '../driver.ts';
import { keepLease, PROCESS_LEASE_SECONDS } from './lease.ts';
import { wordsOf } from './messages.ts';
import { isResumable } from './patience.ts';
import {
  agentOf,
  closeUnusedApprovals,
  isAskedByRun,
  type RunOptions,
  type RunOutcome,
  withdrawApprovals,
} from './run-options.ts';
import { RunQuestions } from './run-questions.ts';
import { RunReporter } from './run-reporter.ts';
import { isUndelivered } from './transcript.ts';

/** A life lasts from the agent's start to its end. A session that is resumed after a clean stop keeps its life. */
export const newLife = () => newId('life');

/** What a process of the agent is told at its start. */
export interface Brought {
  answers: Notification[];
  messages: ChatMessage[];
}

/** Follows the processes of one run while we hold it, and keeps the ledger up to date. */
export class Conductor {
  /** Aborted when the run has to stop or we no longer hold it. */
  readonly signal: AbortSignal;
  readonly #options: RunOptions;
  #run: Run;
  readonly #by: By;
  readonly #lease: { stop(): void; lost: AbortSignal };
  readonly #reporter: RunReporter;
  readonly #questions: RunQuestions;
  #life: string;
  #sessionId: string | undefined;
  #rounds: number;
  /** The agent's model has said or done something. */
  #heard = false;
  /** Messages were delivered that its model may not have read; an earlier process may have delivered some too. */
  #isUnread = true;

  constructor(options: RunOptions, run: Run) {
    this.#options = options;
    this.#run = run;
    this.#by = agentOf(options.driver);
    this.#life = run.data.life ?? newLife();
    this.#sessionId = run.sessionId ?? undefined;
    this.#rounds = run.data.rounds ?? 0;
    this.#lease = keepLease(() => options.ledger.runs.heartbeat(run, PROCESS_LEASE_SECONDS, this.#by));
    this.signal = AbortSignal.any([this.#lease.lost, ...(options.signal ? [options.signal] : [])]);
    this.#reporter = new RunReporter(options.ledger, run, this.#by);
    this.#questions = new RunQuestions(options, this.#by, () => ({
      run: this.#run,
      life: this.#life,
      sessionId: this.#sessionId,
    }));
  }

  /** The agent starts over: it may repeat questions that were answered before, and gets those answers. */
  async beginLife(): Promise<void> {
    this.#life = newLife();
    await this.#setData({ life: this.#life, continues: undefined });
  }

  /**
   * Starts an agent with its own pass and follows it to its end. What it is brought at its start counts as delivered once
   * it cannot be lost. If anything fails on our side, the agent is ended before the error is thrown.
   */
  play(start: (setup: AgentSetup) => AgentRun, brought: Brought): Promise<RunEnd> {
    return admitted(this.#options.setup, this.#passClaims(), (own) => this.#follow(start(own), brought));
  }

  /** What the agent's pass proves. The agent's commands ask in the same life as the agent. */
  #passClaims(): PassClaims {
    const { driver, fence, setup } = this.#options;
    const { projectId, id, source, sourceId } = this.#run;
    const task = fence === undefined ? {} : { task: { id: sourceId, fence } };
    const asks = { source, sourceId };
    return { projectId, agent: driver.name, cwd: setup.cwd, runId: id, life: this.#life, asks, ...task };
  }

  async #follow(agent: AgentRun, brought: Brought): Promise<RunEnd> {
    const stop = () => void agent.stop();
    const { signal } = this;
    signal.addEventListener('abort', stop);
    const over = new AbortController();
    const pending = new Pending(stop);
    this.#heard = false;
    this.#questions.beginProcess();
    pending.add(
      this.#bringMessages(agent, new Set(brought.messages.map(({ id }) => id)), pending, over.signal),
    );
    if (agent.received)
      pending.add(agent.received.then((has) => (has ? this.#received(brought) : undefined)));
    try {
      if (signal.aborted) stop();
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
      signal.removeEventListener('abort', stop);
    }
    const end = await agent.ended;
    await this.#reporter.flush();
    await pending.all();
    await withdrawApprovals(this.#options.ledger, this.#run, this.#by);
    if (end.reason === 'ok') {
      await this.delivered(brought);
      await this.#markRead();
    }
    return this.#told(end);
  }

  /**
   * Tells the agent what people say while it works, unless it was told at its start. What it does not take now, the next
   * process is told.
   */
  async #bringMessages(
    agent: AgentRun,
    told: ReadonlySet<number>,
    pending: Pending,
    over: AbortSignal,
  ): Promise<void> {
    const { projectId, taskId } = this.#run;
    if (taskId === null) return;
    for await (const message of this.#options.ledger.tasks.listen(projectId, taskId, over)) {
      if (told.has(message.id)) continue;
      if (message.interrupts) return agent.interrupt();
      const taken = agent.say?.(wordsOf([message])) ?? Promise.resolve(false);
      const mark = (isTaken: boolean) => this.delivered({ answers: [], messages: isTaken ? [message] : [] });
      pending.add(taken.then(mark));
    }
  }

  /** The session to resume, if the agent has named it. */
  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  /** The agent no longer has its session; the next one that it names is the one to resume. */
  async forgetSession(): Promise<void> {
    this.#sessionId = undefined;
    await this.#options.ledger.runs.forgetSession(this.#run);
  }

  /** A run that can be resumed waits; any other has ended. */
  async close({ end, isHeld }: Pick<RunOutcome, 'end' | 'isHeld'>): Promise<RunOutcome> {
    const { runs } = this.#options.ledger;
    const { projectId, id } = this.#run;
    const waiting = (await runs.questions(projectId, id)).filter(isAskedByRun).filter(isUndelivered);
    const canResume = isResumable(end.reason, {
      hasSession: this.#sessionId !== undefined,
      hasUndelivered: waiting.length > 0,
      hasModelOutput: this.#heard,
      startsOver: this.#options.startsOver ?? false,
    });
    // The agent may have died before it saved its question, so it gets the earlier answer if it asks the same again.
    if (canResume && end.reason === 'crashed') await this.beginLife();
    if (canResume) await this.#setData({ used: this.#usedWith(end.usage) });
    const run = canResume ? await runs.wait(this.#run, this.#by) : await this.end(end);
    this.#lease.stop();
    return { run, end, isHeld, waiting: canResume ? waiting : [], rounds: this.#rounds };
  }

  /** Ends the run, as soon as nobody can lose what its agent made. */
  async end({ reason, message, exitCode, signal, usage, text }: RunEnding): Promise<Run> {
    const { ledger, keep } = this.#options;
    let end: Omit<RunEnding, 'text'> = { reason, message, exitCode, signal, usage: this.#usedWith(usage) };
    await closeUnusedApprovals(ledger, this.#run, this.#by);
    if (keep) {
      await ledger.runs.say(this.#run, end, text, this.#by);
      crashPoint('run.said');
      await keep({ ...end, text }, async (commit) => {
        end = { ...end, commit };
        await ledger.runs.say(this.#run, end, text, this.#by);
      });
      crashPoint('run.kept');
    }
    const run = await ledger.runs.end(this.#run, end, text, this.#by);
    this.#lease.stop();
    return run;
  }

  /** With what the run's earlier processes used. */
  #usedWith(usage: Usage | undefined): Usage | undefined {
    const { used } = this.#run.data;
    return used && usage ? addUsage(used, usage) : (used ?? usage);
  }

  /** Something failed on our side, so another process may take the run at once. */
  async abandon(): Promise<void> {
    this.#lease.stop();
    // The error that is being thrown says more than this one could.
    await this.#options.ledger.runs.wait(this.#run, this.#by).catch(() => undefined);
  }

  async #hear(
    agent: AgentRun,
    event: AgentEvent,
    brought: Brought,
    pending: Pending,
    over: AbortSignal,
  ): Promise<void> {
    switch (event.kind) {
      case 'session':
        this.#sessionId ??= event.sessionId;
        await this.#options.ledger.runs.setSession(this.#run, event.sessionId, this.#by);
        return;
      case 'question':
        pending.add(
          (await this.#newRound())
            ? this.#questions.ask(agent, event.ask, over)
            : this.#questions.askLater(agent, event.ask, over),
        );
        break;
      case 'permission':
        pending.add(this.#questions.permit(agent, event, over));
        break;
      case 'cancelled':
        await this.#questions.cancel(event.askId);
        return;
      case 'notice':
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
    this.#heard = true;
    if (!agent.received) await this.delivered(brought);
    await this.#markRead();
  }

  /**
   * Counts a round of questions in the ledger, so that all processes of a run share the count; false if it is one too
   * many.
   */
  async #newRound(): Promise<boolean> {
    // Questions that arrive while others are open belong to the same round.
    if (this.#questions.areOpen) return true;
    this.#rounds += 1;
    await this.#setData({ rounds: this.#rounds });
    return this.#rounds <= (this.#options.maxRounds ?? Number.POSITIVE_INFINITY);
  }

  async #setData(changed: RunProgress): Promise<void> {
    this.#run = { ...this.#run, data: { ...this.#run.data, ...changed } };
    await this.#options.ledger.runs.setData(this.#run, this.#run.data);
  }

  /** The program's proof may come after the first words of its model. */
  async #received(brought: Brought): Promise<void> {
    await this.delivered(brought);
    if (this.#heard) await this.#markRead();
  }

  /** Marks answers and messages as delivered, because the agent can no longer lose them. */
  async delivered({ answers, messages }: Brought): Promise<void> {
    const { notifications, tasks } = this.#options.ledger;
    for (const { projectId, id } of answers.splice(0).filter(isUndelivered)) {
      await notifications.markDelivered(projectId, id, this.#by);
    }
    const { projectId, taskId } = this.#run;
    const said = messages.splice(0);
    if (taskId === null || said.length === 0) return;
    await tasks.delivered(projectId, taskId, said, this.#by);
    this.#isUnread = true;
  }

  /** The agent's model has gone on with what was delivered. */
  async #markRead(): Promise<void> {
    const { projectId, taskId } = this.#run;
    if (taskId === null || !this.#isUnread) return;
    this.#isUnread = false;
    await this.#options.ledger.tasks.read(projectId, taskId, this.#by);
  }

  #told(end: RunEnd): RunEnd {
    const { maxRounds } = this.#options;
    if (maxRounds === undefined || this.#rounds <= maxRounds) return end;
    const message = `Fermata stopped the agent because it asked questions more than ${maxRounds} times.`;
    return { ...end, reason: 'too_many_rounds', message };
  }
}

/** Work in parallel with the stream of events. The first failure stops the agent and is thrown at the end. */
class Pending {
  readonly #stop: () => void;
  readonly #open = new Set<Promise<void>>();
  #failure: { error: unknown } | undefined;

  constructor(stop: () => void) {
    this.#stop = stop;
  }

  add(work: Promise<void>): void {
    const watched = work
      .catch((error: unknown) => this.fail(error))
      .finally(() => this.#open.delete(watched));
    this.#open.add(watched);
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#stop();
  }

  async all(): Promise<void> {
    await Promise.all(this.#open);
    if (this.#failure) throw this.#failure.error;
  }
}
