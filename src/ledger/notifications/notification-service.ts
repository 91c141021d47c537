import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import { isApproval } from '../../schema/is-question.ts';
import {
  AmendInput,
  CreateInput,
  type Notification,
  Reason,
  ResolveInput,
  ResumeRecipe,
  type Source,
  type Status,
} from '../../schema/notification.ts';
import { refuseForeignAgent } from '../access/refuse-agent.ts';
import { check } from '../check.ts';
import { crashPoint } from '../crash-point.ts';
import { update } from '../engine/statements.ts';
import type { Store, Tx } from '../engine/store.ts';
import { iso, readCursor } from '../engine/stored.ts';
import type { NotificationRow } from '../engine/tables.ts';
import { changed } from '../events/event-log.ts';
import { type Redact, redactGate, redactQuestion } from '../redact/redact.ts';
import { type Holder, requireHolder } from '../runs/require-holder.ts';
import { answerFromChat } from './chat-answers.ts';
import { kindOf } from './holds.ts';
import { type ListQuery, listNotifications, type NotificationPage } from './list-notifications.ts';
import { isFinal } from './notification-machine.ts';
import {
  countNotifications,
  selectByPrefix,
  selectDue,
  selectNextDeadline,
  selectNotification,
  selectRecorded,
  toNotification,
} from './notification-sql.ts';
import { askedKey, type Dropped, normalizeQuestions } from './questions.ts';
import { endLife, knownRequest, selectAsked, selectLives, selectUndelivered } from './request-sql.ts';
import { deliver, type Settled, settle, unknownNotification } from './settle.ts';
import { refuseImpossibleDefault } from './silence.ts';
import { asApproval, askAgain, heldTask, newRow, refuseUnusable, storeQuestion } from './store-question.ts';

export interface Created {
  notification: Notification;
  /** Entries that were not questions. */
  dropped: Dropped[];
  /** It was asked before; this is the earlier one, open or answered. */
  existing: boolean;
}

/** Everything that needs a person. Each question is asked and answered here, once. */
export class NotificationService {
  readonly #store: Store;
  readonly #redact: Redact;

  /** @internal */
  constructor(store: Store, redact: Redact) {
    this.#store = store;
    this.#redact = redact;
  }

  /** Stores the questions and their event, and makes the task that asked wait, in one transaction. */
  async create(
    input: CreateInput,
    by: By,
    /** Throws if this asker may not reuse the existing one. */
    checkTakeUp: (known: Notification) => void = () => undefined,
  ): Promise<Created> {
    const given = check(CreateInput, input, 'Notification');
    const asked = given.gate ? { ...given, gate: redactGate(given.gate, this.#redact) } : given;
    const { questions, dropped } = normalizeQuestions(asked.questions, iso(Date.now()));
    const clean = questions.map((question) => redactQuestion(question, this.#redact));
    const complete = isApproval({ kind: kindOf(asked) }) ? clean.map(asApproval) : clean;
    refuseUnusable(asked, complete);
    return this.#store.write(asked.projectId, async (tx) => {
      crashPoint('create.begin');
      const task = await heldTask(tx, asked);
      const row = await newRow(tx, asked, complete, task, by, askedKey(asked, questions));
      if (asked.policy?.kind === 'default') refuseImpossibleDefault(toNotification(row), asked.policy);
      const known = await knownRequest(tx, asked, row);
      if (known) checkTakeUp(toNotification(known));
      const notification = known
        ? await askAgain(tx, known, row, asked, task, by)
        : await storeQuestion(tx, row, asked, task, by);
      return { notification, dropped, existing: known !== undefined };
    });
  }

  async get(projectId: string, id: string): Promise<Notification> {
    const row = await selectNotification(this.#store.reader, projectId, id);
    if (!row) throw unknownNotification(id);
    return toNotification(row);
  }

  /** The notification whose id starts with `prefix`, in any project. */
  async find(prefix: string): Promise<Notification> {
    const rows = await selectByPrefix(this.#store.reader, prefix, 4);
    const [row] = rows;
    if (!row) throw unknownNotification(prefix);
    if (rows.length > 1 && row.id !== prefix) {
      const some = rows.map((r) => r.id).join(', ');
      throw new FermataError('invalid', `"${prefix}" matches several ids (${some}). Type more of it.`);
    }
    return toNotification(row);
  }

  /**
   * One page, oldest first; `next` is the cursor of the next page. With a filter, a page contains what one pass over the
   * ledger found: it may have few entries or none, and still a `next`.
   */
  list(query: ListQuery = {}): Promise<NotificationPage> {
    return listNotifications(this.#store.reader, query);
  }

  /** The notices: what agents decided alone, and what they reported. Newest first; `after` is the cursor of the last one. */
  async recorded(limit: number, after?: string, projectId?: string): Promise<Notification[]> {
    const page = { projectId, limit, after: after === undefined ? undefined : readCursor(after) };
    return (await selectRecorded(this.#store.reader, page)).map(toNotification);
  }

  async count(status: Status[], projectId?: string): Promise<number> {
    return status.length === 0 ? 0 : countNotifications(this.#store.reader, status, projectId);
  }

  /** Answers, skips or dismisses. The first answer wins; the same again is a repeat; a different one is refused. */
  async resolve(projectId: string, id: string, input: ResolveInput, by: By): Promise<Settled> {
    const given = check(ResolveInput, input, 'Answer');
    return this.#change(projectId, id, (tx, row) =>
      settle(tx, row, { kind: 'resolve', input: given, by, at: iso(tx.now) }, by),
    );
  }

  /** Answers with what people wrote in the task's chat since the question. */
  resolveFromChat(projectId: string, id: string, by: By): Promise<Settled> {
    return this.#change(projectId, id, (tx, row) => answerFromChat(tx, row, by));
  }

  /** Replaces an answer and keeps the old one with it. Only a person may. */
  async amend(projectId: string, id: string, input: AmendInput, by: By): Promise<Settled> {
    const given = check(AmendInput, input, 'Amendment');
    return this.#change(projectId, id, (tx, row) =>
      settle(tx, row, { kind: 'amend', input: given, by, at: iso(tx.now) }, by),
    );
  }

  /** A person accepts what the agent proposed for silence; the time starts now. */
  acceptProposal(projectId: string, id: string, by: By): Promise<Settled> {
    return this.#change(projectId, id, (tx, row) =>
      settle(tx, row, { kind: 'accept', by, at: iso(tx.now) }, by),
    );
  }

  /** An agent may withdraw only its own questions; the holder of a run, only while it holds the run. */
  async withdraw(projectId: string, id: string, why: string, by: By, holder?: Holder): Promise<Settled> {
    const reason = this.#redact(check(Reason, why, 'Reason'));
    return this.#change(projectId, id, async (tx, row) => {
      refuseForeignAgent(by, toNotification(row).createdBy);
      if (holder) await requireHolder(tx, holder);
      return settle(tx, row, { kind: 'withdraw', reason, by, at: iso(tx.now) }, by);
    });
  }

  /** Closes an approval that its asker will never act on, answered or not, with the reason. Only the holder of the run may. */
  async lapse(projectId: string, id: string, why: string, by: By, holder: Holder): Promise<Settled> {
    const reason = this.#redact(check(Reason, why, 'Reason'));
    return this.#change(projectId, id, async (tx, row) => {
      await requireHolder(tx, holder);
      return settle(tx, row, { kind: 'lapse', reason, by, at: iso(tx.now) }, by);
    });
  }

  async supersede(
    projectId: string,
    id: string,
    supersededBy: string,
    why: string,
    by: By,
  ): Promise<Settled> {
    const reason = this.#redact(check(Reason, why, 'Reason'));
    if (supersededBy === id) throw new FermataError('invalid', `Question ${id} cannot supersede itself.`);
    return this.#change(projectId, id, async (tx, row) => {
      if (!(await selectNotification(tx, projectId, supersededBy))) throw unknownNotification(supersededBy);
      return settle(tx, row, { kind: 'supersede', supersededBy, reason, by, at: iso(tx.now) }, by);
    });
  }

  /** The answer has to go elsewhere, or reaches its asker in another way. */
  setResume(projectId: string, id: string, resume: ResumeRecipe, by: By): Promise<Settled> {
    const given = check(ResumeRecipe, resume, 'Recipe');
    return this.#change(projectId, id, async (tx, row) => {
      const known = toNotification(row);
      refuseForeignAgent(by, known.createdBy);
      await update(tx, 'open_questions', { resume: JSON.stringify(given) }, { id });
      const { source, sourceId, kind, holds, status } = known;
      const data = { id, source, sourceId, kind, holds, from: status, status };
      tx.emit({ type: 'notification.updated', by, data });
      return { notification: { ...known, resume: given }, repeat: false };
    });
  }

  /** The asker has it. Call this after handing over the answer, so that a crash before it repeats the delivery. */
  markDelivered(projectId: string, id: string, by: By): Promise<Settled> {
    return this.#store.write(projectId, (tx) => deliver(tx, id, by));
  }

  /** Everything that this asker asked, oldest first. */
  async asked(projectId: string, source: Source, sourceId: string, limit?: number): Promise<Notification[]> {
    const rows = await selectAsked(this.#store.reader, projectId, source, sourceId, limit);
    return rows.map(toNotification);
  }

  /** Answers that this asker never received, newest first. */
  async undelivered(projectId: string, source: Source, sourceId: string): Promise<Notification[]> {
    return (await selectUndelivered(this.#store.reader, projectId, source, sourceId)).map(toNotification);
  }

  /** What askers with this id prefix asked in lives that have not ended, newest first. */
  async lives(projectId: string, prefix: string): Promise<{ notification: Notification; life: string }[]> {
    const rows = await selectLives(this.#store.reader, projectId, prefix);
    return rows.map((row) => ({ notification: toNotification(row), life: row.life ?? '' }));
  }

  /** The asker ended cleanly, so answers delivered to it are not replayed to a later one. */
  endLife(projectId: string, sourceId: string, life: string): Promise<void> {
    return this.#store.write(projectId, (tx) => endLife(tx, sourceId, life));
  }

  /** Waits until it is settled, and applies its policy when the deadline passes. Undefined after an abort. */
  async wait(projectId: string, id: string, signal?: AbortSignal): Promise<Notification | undefined> {
    const changes = changed(this.#store, signal);
    try {
      while (!signal?.aborted) {
        const row = await selectNotification(this.#store.reader, projectId, id);
        if (!row) throw unknownNotification(id);
        if (isFinal(row.status)) return toNotification(row);
        const { deadline_at: due } = row;
        await changes.next(due);
        if (due !== null && due <= Date.now()) await this.#deadline(projectId, id);
      }
      return undefined;
    } finally {
      changes.stop();
    }
  }

  /** Applies the policies of all notifications whose deadline has passed, and returns those it changed. */
  async applyDeadlines(): Promise<Notification[]> {
    const due = await selectDue(this.#store.reader, Date.now(), 1000);
    const changed: Notification[] = [];
    for (const { project_id, id } of due) {
      const { notification, repeat } = await this.#deadline(project_id, id);
      if (!repeat) changed.push(notification);
    }
    return changed;
  }

  /** When the next policy has to be applied, in milliseconds since 1970. */
  nextDeadline(): Promise<number | undefined> {
    return selectNextDeadline(this.#store.reader);
  }

  #deadline(projectId: string, id: string): Promise<Settled> {
    return this.#change(projectId, id, (tx, row) => {
      const by: By = { actor: { kind: 'policy', name: toNotification(row).policy.kind }, channel: 'ledger' };
      return settle(tx, row, { kind: 'deadline', at: iso(tx.now) }, by);
    });
  }

  #change(
    projectId: string,
    id: string,
    change: (tx: Tx, row: NotificationRow) => Promise<Settled>,
  ): Promise<Settled> {
    return this.#store.write(projectId, async (tx) => {
      crashPoint('answer.begin');
      const row = await selectNotification(tx, projectId, id);
      if (!row) throw unknownNotification(id);
      return change(tx, row);
    });
  }
}
