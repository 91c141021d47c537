import type { By } from '../schema/actor.ts';
import { FermataError } from '../schema/error.ts';
import {
  CreateInput,
  type Notification,
  Reason,
  ResolveInput,
  type Source,
  type Status,
} from '../schema/notification.ts';
import { check } from './check.ts';
import { crashPoint } from './crash-point.ts';
import { changedOrDue, isDue } from './deadline.ts';
import { changeSignal } from './event-log.ts';
import { type ListQuery, listNotifications, type NotificationPage } from './list-notifications.ts';
import { isFinal } from './machine/notification.ts';
import { type Dropped, normalizeQuestions } from './questions.ts';
import { type Redact, redactGate, redactQuestion } from './redact.ts';
import { iso, toNotification } from './rows.ts';
import { type Settled, settle } from './settle.ts';
import {
  countNotifications,
  selectByPrefix,
  selectDue,
  selectNextDeadline,
  selectNotification,
  updateGate,
  updateRecipe,
} from './store/notifications.ts';
import {
  selectAsked,
  selectGate,
  selectOpenRequest,
  selectUndelivered,
  selectUndeliveredRequest,
} from './store/requests.ts';
import type { Store, Tx } from './store/store.ts';
import type { NotificationRow } from './store/tables.ts';
import {
  asApproval,
  holdTask,
  newRow,
  refuseImpossibleDefault,
  refuseUnusable,
  storeQuestion,
} from './store-question.ts';

export interface Created {
  notification: Notification;
  /** Entries that were no questions. */
  dropped: Dropped[];
  /** The same asker has the same questions open, or took up what it never got the answer to: this is that. */
  existing: boolean;
}

/** Everything that needs a person: asked here, answered here, once. */
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
    /** Throws where this asker may not take up what is there already. */
    checkTakeUp: (known: Notification) => void = () => undefined,
  ): Promise<Created> {
    const given = check(CreateInput, input, 'Notification');
    const asked = given.gate ? { ...given, gate: redactGate(given.gate, this.#redact) } : given;
    const { questions, dropped } = normalizeQuestions(asked.questions, iso(Date.now()));
    const clean = questions.map((question) => redactQuestion(question, this.#redact));
    const complete = asked.source === 'approval' ? clean.map(asApproval) : clean;
    refuseUnusable(asked, complete);
    return this.#store.write(asked.projectId, async (tx) => {
      crashPoint('create.begin');
      const row = await newRow(tx, asked, complete, by);
      refuseImpossibleDefault(asked, row);
      const open = await selectOpenRequest(tx, row.request_key);
      const known = open ?? (await settledBefore(tx, asked, row));
      if (!known) return { notification: await storeQuestion(tx, row, asked, by), dropped, existing: false };
      checkTakeUp(toNotification(known));
      if (open) await holdTask(tx, asked, by);
      // The asker may be another process by now: the answer goes to where it asks from.
      if (asked.resume) await updateRecipe(tx, known.id, row);
      const { resume, run_id } = asked.resume ? row : known;
      const { gate } = open && asked.gate ? row : known;
      if (open && gate !== open.gate) await updateGate(tx, open.id, gate);
      return { notification: toNotification({ ...known, resume, run_id, gate }), dropped, existing: true };
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
      throw new FermataError(
        'invalid',
        `"${prefix}" is the beginning of several ids (${some}). Give more of it.`,
      );
    }
    return toNotification(row);
  }

  /**
   * A page, oldest first; `next` is the cursor of the page after it. With a filter a page is what was found in one look at
   * the ledger: it may have few, or none, and still a `next`.
   */
  list(query: ListQuery = {}): Promise<NotificationPage> {
    return listNotifications(this.#store.reader, query);
  }

  async count(status: Status[], projectId?: string): Promise<number> {
    return status.length === 0 ? 0 : countNotifications(this.#store.reader, status, projectId);
  }

  /** Answers, skips or dismisses. The first answer wins; the same again is a repeat; another is refused. */
  async resolve(projectId: string, id: string, input: ResolveInput, by: By): Promise<Settled> {
    const given = check(ResolveInput, input, 'Answer');
    return this.#change(projectId, id, (tx, row) =>
      settle(tx, row, { kind: 'resolve', input: given, by, at: iso(tx.now) }, by),
    );
  }

  async withdraw(projectId: string, id: string, why: string, by: By): Promise<Settled> {
    const reason = this.#redact(check(Reason, why, 'Reason'));
    return this.#change(projectId, id, (tx, row) =>
      settle(tx, row, { kind: 'withdraw', reason, by, at: iso(tx.now) }, by),
    );
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

  /** The asker has it. Called after the answer was handed over, so that a crash before repeats the delivery. */
  markDelivered(projectId: string, id: string, by: By): Promise<Settled> {
    return this.#change(projectId, id, (tx, row) =>
      settle(tx, row, { kind: 'deliver', at: iso(tx.now) }, by),
    );
  }

  /** Everything that this asker asked, oldest first. */
  async asked(projectId: string, source: Source, sourceId: string, limit?: number): Promise<Notification[]> {
    const rows = await selectAsked(this.#store.reader, projectId, source, sourceId, limit);
    return rows.map(toNotification);
  }

  /** What this asker was answered but never received, newest first. */
  async undelivered(projectId: string, source: string, sourceId: string): Promise<Notification[]> {
    return (await selectUndelivered(this.#store.reader, projectId, source, sourceId)).map(toNotification);
  }

  /** Waits until it is settled, applying its own policy when the deadline passes. Undefined after an abort. */
  async wait(projectId: string, id: string, signal?: AbortSignal): Promise<Notification | undefined> {
    const changes = changeSignal(this.#store, signal);
    try {
      while (!signal?.aborted) {
        const changed = changes.next();
        const notification = await this.get(projectId, id);
        if (isFinal(notification.status)) return notification;
        await changedOrDue(changed, notification.deadlineAt);
        if (isDue(notification)) await this.#deadline(projectId, id);
      }
      return undefined;
    } finally {
      changes.stop();
    }
  }

  /** Applies the policies of all notifications whose deadline has passed, and returns those that it changed. */
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

/** A human gate has one answer, however often it is asked; others are taken up only on request. */
async function settledBefore(tx: Tx, asked: CreateInput, row: NotificationRow) {
  if (asked.gate) return selectGate(tx, row);
  return asked.takeUp ? selectUndeliveredRequest(tx, row) : undefined;
}

function unknownNotification(id: string): FermataError {
  return new FermataError('not_found', `There is no question ${id}. "fermata inbox" lists the open ones.`);
}
