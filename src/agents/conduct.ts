import { handOver } from '../ledger/hand-over.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { By } from '../schema/actor.ts';
import { FermataError } from '../schema/error.ts';
import type { Notification, ResumeRecipe } from '../schema/notification.ts';
import type { Run } from '../schema/run.ts';
import { ASSUME, answersText } from './answer-text.ts';
import type { AgentDriver, AgentEvent, AgentRun, AgentSetup, Ask, RunEnd } from './driver.ts';
import { isDeadHolder, keepLease, LEASE_SECONDS, processName } from './lease.ts';

export interface Conducting {
  ledger: Ledger;
  driver: AgentDriver;
  setup: AgentSetup;
  /** Sees every event, for a live view or a log. */
  onEvent?(event: AgentEvent): void;
  /** Tools that are allowed without asking; everything else that needs permission is a question to a person. */
  allows?(tool: string, input: unknown): boolean;
  /** `assume`: nobody is asked; the agent is told to assume, on record (default: `ask`). */
  questions?: 'ask' | 'assume';
  /** How often the agent may come back with questions before it is stopped. */
  maxRounds?: number;
  signal?: AbortSignal;
}

export interface Conducted {
  run: Run;
  end: RunEnd;
  /** What has to be settled before the run can go on; empty when it has ended. */
  waiting: Notification[];
  /** How often the agent came with questions in this process. */
  rounds: number;
}

export interface NewRun {
  projectId: string;
  source: Run['source'];
  sourceId: string;
  prompt: string;
  /** What the command needs to go on with this run after a crash. */
  data?: Record<string, unknown>;
}

/**
 * Runs an agent and brings its questions to the ledger and the answers back: a question is stored before anyone is
 * told, an answer before it is sent, and it counts as delivered only when the agent has it.
 */
export async function startRun(conducting: Conducting, wanted: NewRun): Promise<Conducted> {
  const { ledger, driver, setup } = conducting;
  const { projectId, source, sourceId, prompt, data } = wanted;
  const by = agentOf(driver);
  const claim = { worker: processName(), leaseSeconds: LEASE_SECONDS };
  const input = {
    projectId,
    agent: driver.name,
    source,
    sourceId,
    cwd: setup.cwd,
    data: { ...data, prompt },
  };
  const run = await ledger.runs.start(input, claim, by);
  return new Conductor(conducting, run).play(driver.start(setup, prompt), []);
}

/**
 * Takes up a run that no process is at any more, with everything that was settled meanwhile. A session that the
 * agent has lost is begun anew, with all questions and answers so far.
 */
export async function resumeRun(
  conducting: Conducting,
  projectId: string,
  runId: string,
): Promise<Conducted> {
  const { ledger, driver, setup } = conducting;
  await withdrawApprovals(ledger, projectId, runId, agentOf(driver));
  const questions = (await ledger.runs.questions(projectId, runId)).filter(isQuestion);
  const open = questions.filter((question) => question.status === 'open');
  if (open.length > 0) {
    const ids = open.map((question) => question.id).join(', ');
    throw new FermataError(
      'conflict',
      `Run ${runId} waits for an answer to ${ids}. Give it with: fermata answer ${open[0]?.id} VALUE`,
    );
  }
  const claim = { worker: processName(), leaseSeconds: LEASE_SECONDS };
  const { holder } = await ledger.runs.get(projectId, runId);
  const dead = holder !== null && isDeadHolder(holder) ? holder : undefined;
  const run = await ledger.runs.take(projectId, runId, claim, agentOf(driver), dead);
  const fresh = questions.filter(
    (question) => question.status !== 'delivered' && question.status !== 'recorded',
  );
  if (run.sessionId !== null) {
    const conductor = new Conductor(conducting, run);
    const resumed = await conductor.play(driver.resume(setup, recipeOf(run, fresh), fresh), fresh);
    if (conductor.heard || resumed.end.reason !== 'failed') return resumed;
    return new Conductor(conducting, await ledger.runs.take(projectId, runId, claim, agentOf(driver))).play(
      driver.start(setup, anew(run, questions)),
      fresh,
    );
  }
  return new Conductor(conducting, run).play(driver.start(setup, anew(run, questions)), fresh);
}

/** A permission is for a process that waits for it: once that is gone, the agent asks for it again if it needs it. */
async function withdrawApprovals(ledger: Ledger, projectId: string, runId: string, by: By): Promise<void> {
  for (const { id, status, source } of await ledger.runs.questions(projectId, runId)) {
    if (source !== 'approval' || status !== 'open') continue;
    await ledger.notifications.withdraw(projectId, id, 'The agent that asked for it is gone.', by);
  }
}

const isQuestion = (notification: Notification) => notification.source !== 'approval';

function recipeOf(run: Run, fresh: Notification[]): ResumeRecipe {
  const last = fresh.findLast((notification) => notification.resume?.toolCallId !== undefined);
  return (
    last?.resume ?? { agent: run.agent, sessionId: run.sessionId ?? undefined, cwd: run.cwd, run: run.id }
  );
}

/** The first prompt with everything that was asked and answered since. */
function anew(run: Run, questions: Notification[]): string {
  const answered = questions.filter((question) => question.responses.length > 0);
  return [String(run.data.prompt ?? ''), ...answered.map(answersText)].join('\n\n');
}

const agentOf = (driver: AgentDriver): By => ({
  actor: { kind: 'agent', name: driver.name },
  channel: 'agent',
});

class Conductor {
  /** The agent's model has said or done something: it has what it was started with. */
  heard = false;
  readonly #options: Conducting;
  readonly #run: Run;
  readonly #by: By;
  readonly #over = new AbortController();
  readonly #pending = new Set<Promise<void>>();
  /** The ledger's ids of what the agent has asked, by the agent's own. */
  readonly #asked = new Map<string, string>();
  readonly #cancelled = new Set<string>();
  #sessionId: string | undefined;
  #rounds = 0;
  #unsettled = 0;

  constructor(options: Conducting, run: Run) {
    this.#options = options;
    this.#run = run;
    this.#by = agentOf(options.driver);
    this.#sessionId = run.sessionId ?? undefined;
  }

  /** Follows the run to its end. `brought` was given to the agent with its start, and is delivered once it reacts. */
  async play(agent: AgentRun, brought: Notification[]): Promise<Conducted> {
    const { signal } = this.#options;
    const stop = () => void agent.stop();
    signal?.addEventListener('abort', stop);
    const lease = keepLease(this.#options.ledger, this.#run, this.#by, stop);
    try {
      if (signal?.aborted) stop();
      for await (const event of agent.events) {
        await this.#hear(agent, event, brought);
        this.#options.onEvent?.(event);
      }
      const end = this.#told(await agent.ended);
      this.#over.abort();
      await Promise.all(this.#pending);
      if (end.reason === 'ok') await this.#delivered(brought);
      return await this.#close(end);
    } finally {
      this.#over.abort();
      lease.stop();
      signal?.removeEventListener('abort', stop);
    }
  }

  async #hear(agent: AgentRun, event: AgentEvent, brought: Notification[]): Promise<void> {
    switch (event.kind) {
      case 'session':
        this.#sessionId ??= event.sessionId;
        await this.#options.ledger.runs.setSession(this.#run, event.sessionId, this.#by);
        return;
      case 'question':
        // Questions that come while others are open belong to the same round.
        if (this.#unsettled === 0) this.#rounds += 1;
        if (this.#rounds > (this.#options.maxRounds ?? Number.POSITIVE_INFINITY)) void agent.stop();
        else this.#track(this.#ask(agent, event.ask));
        break;
      case 'permission':
        this.#track(this.#permit(agent, event));
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

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#pending.delete(tracked));
    this.#pending.add(tracked);
  }

  async #ask(agent: AgentRun, ask: Ask): Promise<void> {
    this.#unsettled += 1;
    const { notifications } = this.#options.ledger;
    const { projectId, source, sourceId } = this.#run;
    const { notification } = await notifications.create(
      { projectId, source, sourceId, questions: ask.questions, resume: this.#recipe(ask.id) },
      this.#by,
    );
    this.#asked.set(ask.id, notification.id);
    if (this.#cancelled.has(ask.id)) return this.#withdraw(ask.id);
    if (this.#options.questions === 'assume') await this.#assume(notification);
    const settled = await notifications.wait(projectId, notification.id, this.#over.signal);
    this.#unsettled -= 1;
    if (!settled) return;
    await handOver(this.#options.ledger, settled, () => agent.answer(ask.id, settled), this.#by);
  }

  async #assume({ projectId, id, questions }: Notification): Promise<void> {
    const by: By = { actor: { kind: 'policy', name: 'assume' }, channel: 'ledger' };
    const responses = questions.map((question) => ({ questionId: question.id, answer: ASSUME }));
    await this.#options.ledger.notifications.resolve(projectId, id, { responses }, by);
  }

  async #permit(agent: AgentRun, event: Extract<AgentEvent, { kind: 'permission' }>): Promise<void> {
    if (this.#options.allows?.(event.tool, event.input)) {
      await agent.permit(event.id, true);
      return;
    }
    const { notifications } = this.#options.ledger;
    const { projectId, sourceId } = this.#run;
    const context = JSON.stringify(event.input, null, 2)?.slice(0, 20_000);
    const question = { text: `May the agent use ${event.tool}?`, context };
    const { notification } = await notifications.create(
      { projectId, source: 'approval', sourceId, questions: [question], resume: this.#recipe(event.id) },
      this.#by,
    );
    this.#asked.set(event.id, notification.id);
    const settled = await notifications.wait(projectId, notification.id, this.#over.signal);
    if (!settled) return;
    const [response] = settled.responses;
    const allowed = response?.kind === 'answered' && response.answer === 'Approve';
    const note = response?.kind === 'answered' ? response.note : settled.reason;
    const give = () =>
      agent.permit(event.id, allowed, allowed ? undefined : (note ?? 'The person refused it.'));
    await handOver(this.#options.ledger, settled, give, this.#by);
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

  /** A run with something still to settle waits; any other has ended. */
  async #close(end: RunEnd): Promise<Conducted> {
    const { runs } = this.#options.ledger;
    await withdrawApprovals(this.#options.ledger, this.#run.projectId, this.#run.id, this.#by);
    const questions = (await runs.questions(this.#run.projectId, this.#run.id)).filter(isQuestion);
    const undelivered = questions.filter((n) => n.status !== 'delivered' && n.status !== 'recorded');
    if (
      end.reason !== 'ok' &&
      (undelivered.length > 0 || end.reason === 'stopped' || end.reason === 'parked')
    ) {
      const run = await runs.wait(this.#run, this.#by);
      return { run, end, waiting: undelivered, rounds: this.#rounds };
    }
    const { reason, message, exitCode, signal } = end;
    const run = await runs.end(this.#run, { reason, message, exitCode, signal, usage: end.usage }, this.#by);
    return { run, end, waiting: [], rounds: this.#rounds };
  }
}
