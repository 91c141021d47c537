import { restated } from '../agents/questions/answer-text.ts';
import { isDeadHolder, PROCESS_LEASE_SECONDS, processName } from '../agents/run/lease.ts';
import { agentOf, closeUnusedApprovals } from '../agents/run/run-options.ts';
import { branchIn, findRepository } from '../config/repository.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { withdrawUnanswered } from '../ledger/notifications/withdraw-unanswered.ts';
import type { By } from '../schema/actor.ts';
import { FermataError } from '../schema/error.ts';
import { isForProcess } from '../schema/is-question.ts';
import { limits } from '../schema/limits.ts';
import type { AmendInput, CreateInput, Notification, ResponseInput } from '../schema/notification.ts';
import type { Run, SessionData } from '../schema/run.ts';
import type { ChatMessage } from '../schema/task.ts';

/** Where a session is recorded, and who sits in front of it. */
export interface SessionPlace {
  ledger: Ledger;
  projectId: string;
  /** The person at the desk. */
  person: By;
}

/** A session as its agent program describes it. */
export interface SessionAtWork {
  agent: string;
  id: string;
  cwd: string;
  transcript: string;
  attended: boolean;
  /** The process of the agent program. */
  pid: number;
  /** Where it takes messages while it runs. */
  socket?: string | undefined;
}

/** What a person was asked in a dialog of the session. */
export interface Asked {
  source: 'execute' | 'approval';
  questions: unknown[];
  toolCallId?: string;
  subAgent?: string;
}

/** What became of a dialog at the desk: the person's answer, or why there is none. */
export type DeskOutcome = { answer: AmendInput; skipped?: string[] } | { cancelled: string };

/**
 * A session that a person started in an agent program of their own, recorded as a run. Its dialogs are notifications, which are
 * answered there or in the inbox, whichever is first.
 */
export class Session {
  readonly #place: SessionPlace;
  readonly #by: By;
  #run: Run;

  constructor(place: SessionPlace, run: Run) {
    this.#place = place;
    this.#run = run;
    this.#by = agentOf({ name: run.agent });
  }

  /** The session's run, which begins now if there is none, or continues if its process has died. */
  static async open(place: SessionPlace, at: SessionAtWork): Promise<Session> {
    const [last] = await place.ledger.runs.of(place.projectId, 'execute', sourceIdOf(at.id));
    const holder = processName(at.pid);
    if (!last || last.status === 'ended') return Session.#begin(place, at, holder);
    const session = new Session(place, last);
    if (last.status === 'running') {
      if (last.holder === holder || last.holder === null || !isDeadHolder(last.holder)) return session;
      await session.lose();
    }
    return session.#continue(at, holder);
  }

  static async #begin(place: SessionPlace, at: SessionAtWork, holder: string): Promise<Session> {
    const { ledger, projectId } = place;
    const { agent, id, cwd, transcript, attended, socket } = at;
    const repository = findRepository(cwd);
    const branch = repository && branchIn(repository.gitDir);
    const data: SessionData = {
      ...{ for: 'session', transcript, attended, state: 'idle' },
      ...(branch === undefined ? {} : { branch }),
      ...(socket === undefined ? {} : { socket }),
    };
    const input = { projectId, agent, source: 'execute' as const, sourceId: sourceIdOf(id), taskId: null };
    const by = agentOf({ name: agent });
    const run = await ledger.runs.start({ ...input, cwd, data }, claimOf(holder), by);
    await ledger.runs.setSession(run, id, by);
    return new Session(place, { ...run, sessionId: id });
  }

  async #continue(at: SessionAtWork, holder: string): Promise<Session> {
    const { ledger, projectId } = this.#place;
    const [last] = await ledger.runs.of(projectId, 'execute', sourceIdOf(at.id));
    if (!last || last.status === 'ended') return Session.#begin(this.#place, at, holder);
    const run = await ledger.runs.take(projectId, last.id, claimOf(holder), this.#by);
    const { transcript, attended, socket } = at;
    const data = { ...this.#data, transcript, attended, socket };
    await ledger.runs.setData(run, data);
    this.#run = { ...run, data };
    return this;
  }

  /** Stores a dialog's questions. What a lost dialog of this session asked is superseded if it is asked again. */
  async ask({ source, questions, toolCallId, subAgent }: Asked): Promise<Notification> {
    const { ledger, projectId } = this.#place;
    const { id: run, agent, sessionId, cwd, sourceId } = this.#run;
    const { attended, branch } = this.#data;
    const input: CreateInput = {
      ...{ projectId, source, sourceId, questions },
      // Two dialogs for the same command are two permissions.
      ...(source === 'approval' ? { key: `${process.pid}-${Date.now()}` } : {}),
      resume: {
        ...{ agent, cwd, run, ...(sessionId === null ? {} : { sessionId }) },
        ...(toolCallId === undefined ? {} : { toolCallId }),
        ...(subAgent === undefined ? {} : { subAgent }),
        session: { attended, ...(branch === undefined ? {} : { branch: branch.slice(0, limits.id) }) },
      },
    };
    const lost = (await this.#open()).filter(isLost);
    const { notification } = await ledger.notifications.create(input, this.#by);
    for (const each of lost) {
      if (each.id !== notification.id && asksTheSame(each, notification))
        await ledger.notifications.supersede(projectId, each.id, notification.id, ASKED_AGAIN, this.#by);
    }
    return notification;
  }

  /**
   * Records what became of a dialog at the desk. The agent has that answer, so it replaces one that was given in the inbox at the
   * same time.
   */
  async decidedAtDesk(
    { projectId, id }: Notification,
    outcome: DeskOutcome,
    by = this.#place.person,
  ): Promise<void> {
    const { notifications } = this.#place.ledger;
    const now = await notifications.get(projectId, id);
    if ('cancelled' in outcome) return this.cancelled(now, outcome.cancelled);
    const { answer, skipped = [] } = outcome;
    if (now.status === 'open') {
      const left = skipped.map((questionId): ResponseInput => ({ questionId, skipped: true }));
      const given = 'responses' in answer ? { responses: [...answer.responses, ...left] } : answer;
      await notifications.resolve(projectId, id, given, by);
    } else if (by.actor.kind === 'person') await notifications.amend(projectId, id, answer, by);
    else await notifications.lapse(projectId, id, `Decided by ${by.actor.name}.`, this.#by, this.#run);
    await notifications.markDelivered(projectId, id, this.#by);
  }

  /** The dialog was closed without an answer. If somebody answered in the inbox before, the answer comes as news. */
  async cancelled(asked: Notification, why: string): Promise<void> {
    const { ledger, projectId } = this.#place;
    await withdrawUnanswered(ledger, asked, why, this.#by);
    const now = await ledger.notifications.get(projectId, asked.id);
    if (now.status === 'delivered') return;
    if (isForProcess(now)) await ledger.notifications.lapse(projectId, now.id, why, this.#by, this.#run);
    else await this.#loseDialog(now);
  }

  delivered({ projectId, id }: Notification): Promise<unknown> {
    return this.#place.ledger.notifications.markDelivered(projectId, id, this.#by);
  }

  /** What this session asked and has no answer to yet, or has not received. */
  async pending(): Promise<Notification[]> {
    const { ledger, projectId } = this.#place;
    const { sourceId } = this.#run;
    const answered = await Promise.all([
      ledger.notifications.undelivered(projectId, 'execute', sourceId),
      ledger.notifications.undelivered(projectId, 'approval', sourceId),
    ]);
    return [...(await this.#open()), ...answered.flat()];
  }

  /** What the agent has not read yet, as a text: answers whose dialog is lost, and messages. Undefined if there is nothing. */
  async news(isNew: (message: ChatMessage) => boolean): Promise<string | undefined> {
    const lost = (await this.pending()).filter((each) => each.status !== 'open' && isLost(each)).reverse();
    const answers =
      lost.length > 0 ? [`${NEWS} (${lost.map(({ id }) => id).join(', ')})`, restated(lost)] : [];
    const messages = (await this.unread()).filter(isNew);
    const texts = [...answers, ...messages.map(messageText)];
    return texts.length > 0 ? texts.join('\n\n') : undefined;
  }

  /** What people said to this session and its agent has not read yet. */
  unread(): Promise<ChatMessage[]> {
    return this.#place.ledger.runs.unread(this.#run);
  }

  read(message: ChatMessage): Promise<void> {
    return this.#place.ledger.runs.markMessage(this.#run, message, 'read', this.#by);
  }

  /** For people: what the session is doing. */
  async report(state: SessionData['state'], said: string | undefined, prompt?: string): Promise<void> {
    const { runs } = this.#place.ledger;
    const data = this.#data;
    const first = data.prompt ?? prompt?.slice(0, limits.runText);
    const next = { ...data, state, ...(first === undefined ? {} : { prompt: first }) };
    if (next.state !== data.state || next.prompt !== data.prompt) await runs.setData(this.#run, next);
    const text = prompt === undefined ? said : `> ${prompt}`;
    if (text?.trim()) await runs.report(this.#run, [{ kind: 'text', text }], this.#by);
  }

  /** The person ended it: nobody waits for its questions any more. */
  async end(why: string): Promise<void> {
    if (this.#run.status !== 'running') return;
    for (const each of await this.pending()) await this.cancelled(each, why);
    await this.#close('ok', why);
  }

  /**
   * Its process died without a word. Its questions stay open for the session that continues it; a permission does not, because
   * consent is not context.
   */
  async lose(): Promise<void> {
    const questions = (await this.pending()).filter((each) => !isForProcess(each));
    for (const each of questions) await this.#loseDialog(each);
    await this.#close('interrupted', LOST, questions.length > 0);
  }

  async #close(reason: string, message: string, hasQuestions = false): Promise<void> {
    const { ledger } = this.#place;
    try {
      await closeUnusedApprovals(ledger, this.#run, this.#by);
      if (hasQuestions) await ledger.runs.wait(this.#run, this.#by);
      else await ledger.runs.end(this.#run, { reason, message }, '', this.#by);
    } catch (error) {
      // Another of its hooks was faster.
      if (!(error instanceof FermataError) || error.code !== 'stale') throw error;
    }
  }

  async #loseDialog({ projectId, id, resume }: Notification): Promise<void> {
    if (!resume?.session || resume.session.lostAt !== undefined) return;
    const session = { ...resume.session, lostAt: new Date().toISOString() };
    await this.#place.ledger.notifications.setResume(projectId, id, { ...resume, session }, this.#by);
  }

  async #open(): Promise<Notification[]> {
    const { ledger, projectId } = this.#place;
    return (await ledger.runs.questions(projectId, this.#run.id)).filter(({ status }) => status === 'open');
  }

  get #data(): SessionData {
    const { data, id } = this.#run;
    if (data.for !== 'session') throw new FermataError('invalid', `Run ${id} is not a session.`);
    return data;
  }
}

/** The asker of a session's questions. */
const sourceIdOf = (sessionId: string) => `session-${sessionId}`;

/** Proves in the session's own record that the agent got a message. */
export const markOf = ({ id }: ChatMessage) => `message ${id} of your person`;

/** News for the agent, never consent: it has no other way into the conversation of Claude Code. */
export const messageText = (message: ChatMessage) => `Fermata, ${markOf(message)}: ${message.text}`;

const NEWS = 'Answers from your person to what you asked before this session was interrupted';
const LOST = 'Its process ended without a word.';
const ASKED_AGAIN = 'The session asks again.';

/** Only the process decides whether it is alive; the lease is for other machines, which cannot see it. */
const claimOf = (holder: string) => ({ worker: holder, leaseSeconds: 1000 * PROCESS_LEASE_SECONDS });

const isLost = ({ resume }: Notification) => resume?.session?.lostAt !== undefined;

const asksTheSame = (one: Notification, other: Notification) =>
  one.kind === other.kind &&
  one.questions.map(({ text }) => text).join('\n') === other.questions.map(({ text }) => text).join('\n');
