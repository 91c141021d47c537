import type { By } from '../../schema/actor.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { limits } from '../../schema/limits.ts';
import { Reason } from '../../schema/notification.ts';
import {
  type ChatMessage,
  Claim,
  type Standing,
  type Task,
  TaskEdit,
  TaskInput,
  type TaskKind,
  type TaskStatus,
} from '../../schema/task.ts';
import {
  type ResultOf,
  type RoleKind,
  type SubmittedWork,
  taskInputs,
  taskResults,
  type Work,
  type WorkOf,
  type WorkTask,
} from '../../schema/work.ts';
import { refuseAgent } from '../access/refuse-agent.ts';
import { check } from '../check.ts';
import type { Store, Tx } from '../engine/store.ts';
import { readCursor, selectNow } from '../engine/stored.ts';
import type { ChatRow, TaskRow } from '../engine/tables.ts';
import { changed } from '../events/event-log.ts';
import { newId } from '../ids.ts';
import { countForAgent } from '../notifications/agent-limits.ts';
import { bounded } from '../notifications/questions.ts';
import { forgetLivesOfTask } from '../notifications/request-sql.ts';
import { countBlocking } from '../notifications/settle.ts';
import { withdrawQuestions } from '../notifications/withdraw-questions.ts';
import { insertPhaseRecord, selectIteration } from '../phases/phase-record-sql.ts';
import { type Redact, redactAll, redactInput, redactTask } from '../redact/redact.ts';
import { addDependency, addTask } from './add-task.ts';
import { changeTask, requireTask, unknownTask } from './change-task.ts';
import { leaseEnd, releaseAbandoned, take } from './claim-task.ts';
import { dropTasks } from './drop-tasks.ts';
import { ensureTasks } from './ensure-tasks.ts';
import { updateHome, updateUnqueued } from './queue-sql.ts';
import { refuseUnsentAgent } from './refuse-unsent-agent.ts';
import { startAgain } from './start-again.ts';
import { insertChat, selectChat, selectUnread, updateDelivered, updateQueued } from './task-chat-sql.ts';
import { addToUnfinished } from './task-dependency-sql.ts';
import { requireFence, type TaskCommand } from './task-machine.ts';
import { toChatMessage, toTaskState } from './task-row.ts';
import {
  countTasks,
  replaceResult,
  selectLapsed,
  selectOfKind,
  selectReady,
  selectTask,
  selectTasks,
  type TaskScope,
  updateInput,
  updateResult,
  updateTaskText,
} from './task-sql.ts';
import { view, views, workView, workViews } from './task-view.ts';
import { ALIVE_MS } from './worker-register.ts';

/** A task that a role proposes; `dependsOn` lists positions in the same list. */
export type ProposedTask = Omit<TaskInput, 'projectId' | 'id' | 'dependsOn'> & { dependsOn?: number[] };

/** What is wanted, besides the work itself. */
interface Submission extends Pick<TaskInput, 'projectId' | 'id' | 'title' | 'dependsOn' | 'priority'> {}

/** What anybody may ask a role for, with the beginning of its ids. */
const requests: Record<RoleKind, string> = { feedback: 'f', prd: 'd', decompose: 'c' };

const isRequest = (kind: TaskKind): kind is RoleKind => Object.hasOwn(requests, kind);

interface ClaimNextOptions {
  within?: TaskScope;
  /**
   * Where the sessions of the caller's agents are; leaves out tasks whose session is with a live worker or run
   * elsewhere.
   */
  home?: string;
  isDead?(worker: string): boolean;
}

/** The tasks of a project: what is ready, who holds what, and what waits. */
export class TaskService {
  readonly #store: Store;
  readonly #redact: Redact;

  /** @internal */
  constructor(store: Store, redact: Redact) {
    this.#store = store;
    this.#redact = redact;
  }

  async add(input: TaskInput, by: By): Promise<Task> {
    const task = redactTask(check(TaskInput, input, 'Task'), this.#redact);
    return this.#store.write(task.projectId, async (tx) => {
      await countForAgent(tx, by, 'task');
      return view(tx, await requireTask(tx, await addTask(tx, task, by)));
    });
  }

  /**
   * Stores what a person wants an agent to do. With an id, the same wish while an earlier one is open is that one, and a
   * new wish replaces one that nobody works on.
   */
  submit<Kind extends SubmittedWork['kind']>(
    { projectId, id, title, dependsOn, priority }: Submission,
    asked: WorkOf<Kind>,
    by: By,
  ): Promise<WorkTask<Kind>> {
    const { kind, input }: SubmittedWork = asked;
    if (!isRequest(kind)) refuseAgent(by, 'start work');
    const checked = redactInput(check<object>(taskInputs[kind], input, `Task (${kind})`), this.#redact);
    const work = { kind, input: checked } as WorkOf<Kind>;
    const task = { ...{ projectId, dependsOn, priority }, title: this.#redact(title) };
    return this.#store.write(projectId, async (tx) => {
      const known = id === undefined ? undefined : await selectTask(tx, projectId, id);
      if (known) await replaceInput(tx, known, work, by);
      const added =
        known?.id ??
        (await addTask(tx, { ...task, id: id ?? newId(isRequest(kind) ? requests[kind] : kind) }, by, work));
      return (await workView(tx, await requireTask(tx, added))) as WorkTask<Kind>;
    });
  }

  /** Stores the result and adds the tasks in one transaction, only once even if several processes try. */
  finish<Kind extends RoleKind>(
    { projectId, id, kind }: { projectId: string; id: string; kind: Kind },
    result: ResultOf<Kind>,
    by: By,
    proposed: ProposedTask[] = [],
  ): Promise<WorkTask<Kind>> {
    const clean = redactAll(result, this.#redact);
    return this.#store.write(projectId, async (tx) => {
      const tasks = await addProposed(tx, proposed, this.#redact, by);
      const whole = Object.assign({}, clean, tasks.length > 0 ? { tasks } : {});
      const row = await requireTask(tx, id);
      if (row.kind !== kind || !(await updateResult(tx, id, JSON.stringify(whole))))
        throw new FermataError('conflict', `${id} is already done.`);
      // Whoever holds it ends it.
      if (row.status !== 'in_progress' && (await changeTask(tx, row, { kind: 'finish' }, by)))
        await addToUnfinished(tx, id, -1);
      return (await workView(tx, await requireTask(tx, id))) as WorkTask<Kind>;
    });
  }

  /** The input of a task as it is stored, without secrets. */
  clean<Input extends object>(input: Input): Input {
    return redactInput(input, this.#redact);
  }

  /** Stores what a task gave so far, instead of an earlier result. */
  async keepResult<Kind extends TaskKind>(
    projectId: string,
    id: string,
    kind: Kind,
    result: ResultOf<Kind>,
  ): Promise<void> {
    const whole = redactAll(check<object>(taskResults[kind], result, `Result (${kind})`), this.#redact);
    await this.#store.write(projectId, (tx) => replaceResult(tx, id, kind, JSON.stringify(whole)));
  }

  /** What a task of this kind gave; undefined if there is no such task, or nothing yet. */
  async resultOf<Kind extends TaskKind>(
    projectId: string,
    id: string,
    kind: Kind,
  ): Promise<ResultOf<Kind> | undefined> {
    const found = await this.findWork(projectId, id);
    return found?.kind === kind && found.result !== null ? (found.result as ResultOf<Kind>) : undefined;
  }

  /** Of one kind, newest first. */
  async ofKind<Kind extends TaskKind>(
    projectId: string,
    kind: Kind,
    limit = 1000,
    after?: string,
  ): Promise<WorkTask<Kind>[]> {
    const page = { limit, after: after === undefined ? undefined : readCursor(after) };
    const rows = await selectOfKind(this.#store.reader, projectId, kind, page);
    return (await workViews(this.#store.reader, projectId, rows)) as WorkTask<Kind>[];
  }

  /** A task with everything that is stored about it; throws if it is of another kind than `kind`. */
  async work<Kind extends TaskKind = TaskKind>(
    projectId: string,
    id: string,
    kind?: Kind,
  ): Promise<WorkTask<Kind>> {
    const found = await this.findWork(projectId, id);
    if (!found || (kind !== undefined && found.kind !== kind)) throw unknownTask(id);
    return found as WorkTask<Kind>;
  }

  async findWork(projectId: string, id: string): Promise<WorkTask | undefined> {
    const row = await selectTask(this.#store.reader, projectId, id);
    return row && workView(this.#store.reader, row);
  }

  /**
   * Makes sure that the phases of the plan in this folder exist with exactly these dependencies: adds missing ones and
   * restores dropped ones, in one transaction. `closed` names those that were finished before they were known.
   */
  async ensure(
    { projectId, plan }: { projectId: string; plan: string },
    inputs: TaskInput[],
    closed: ReadonlySet<string>,
    by: By,
  ): Promise<void> {
    const tasks = inputs.map((input) => redactTask(check(TaskInput, input, 'Task'), this.#redact));
    await this.#store.write(projectId, (tx) => ensureTasks(tx, plan, tasks, closed, by));
  }

  /** Drops what a plan no longer has: of the tasks whose id begins with `within`, all but `kept`. */
  drop(projectId: string, within: string, kept: ReadonlySet<string>, by: By): Promise<string[]> {
    return this.#store.write(projectId, (tx) => dropTasks(tx, within, kept, by));
  }

  /** Makes `id` depend on all of `others`, or on none if one is refused: a cycle, itself, an unknown task. */
  depend(projectId: string, id: string, others: string[], by: By): Promise<Task> {
    return this.#store.write(projectId, async (tx) => {
      const row = await requireTask(tx, id);
      refuseUnsentAgent(by, row, 'depend');
      await countForAgent(tx, by, 'change');
      const { title, status } = row;
      for (const dependsOn of others) {
        if (!(await addDependency(tx, id, dependsOn))) continue;
        tx.emit({ type: 'task.updated', by, data: { id, title, status, dependsOn } });
      }
      return view(tx, await requireTask(tx, id));
    });
  }

  /** Changes title, body or priority, whatever the task's state. */
  async edit(projectId: string, id: string, edit: TaskEdit, by: By): Promise<Task> {
    refuseAgent(by, 'change what a task asks for');
    const changes = redactTask(check(TaskEdit, edit, 'Task'), this.#redact);
    return this.#store.write(projectId, async (tx) => {
      await requireTask(tx, id);
      await updateTaskText(tx, id, changes);
      const row = await requireTask(tx, id);
      const { title, status } = row;
      tx.emit({ type: 'task.updated', by, data: { id, title, status, edited: Object.keys(changes) } });
      return view(tx, row);
    });
  }

  async get(projectId: string, id: string): Promise<Task> {
    const row = await selectTask(this.#store.reader, projectId, id);
    if (!row) throw unknownTask(id);
    return view(this.#store.reader, row);
  }

  async find(projectId: string, id: string): Promise<Task | undefined> {
    const row = await selectTask(this.#store.reader, projectId, id);
    return row && view(this.#store.reader, row);
  }

  async list(
    projectId: string,
    query: {
      status?: TaskStatus;
      kinds?: readonly TaskKind[];
      after?: number;
      within?: TaskScope;
      limit?: number;
    } = {},
  ): Promise<Task[]> {
    const page = { ...query, limit: query.limit ?? 1000 };
    return views(this.#store.reader, projectId, await selectTasks(this.#store.reader, projectId, page));
  }

  standing(projectId: string, within?: TaskScope): Promise<Standing> {
    return countTasks(this.#store.reader, projectId, within);
  }

  /**
   * The ready tasks, by priority, then in plan order, including those whose worker let the lease expire. `within`: only
   * these tasks.
   */
  async ready(projectId: string, limit = 100, within?: TaskScope): Promise<Task[]> {
    const { reader } = this.#store;
    const free = await selectReady(reader, projectId, { limit, within });
    const lapsed = await selectLapsed(reader, projectId, { now: await selectNow(reader), limit, within });
    const rows = [...free, ...lapsed].sort((a, b) => a.priority - b.priority || a.position - b.position);
    return views(reader, projectId, rows.slice(0, limit));
  }

  /** Claims a task for a worker until the lease ends; use the task's `fence` for later writes. */
  async claim(projectId: string, id: string, wanted: Claim, by: By): Promise<Task> {
    const claim = check(Claim, wanted, 'Claim');
    return this.#store.write(projectId, async (tx) => take(tx, await requireTask(tx, id), claim, by));
  }

  /**
   * Claims the first ready task, after releasing those whose worker is gone, judged by its lease or by `isDead`.
   * Undefined if there is none. `within`: only these tasks.
   */
  async claimNext(
    projectId: string,
    wanted: Claim,
    by: By,
    { within, home, isDead = () => false }: ClaimNextOptions = {},
  ): Promise<Task | undefined> {
    const claim = check(Claim, wanted, 'Claim');
    return this.#store.write(projectId, async (tx) => {
      await releaseAbandoned(tx, isDead, by);
      const taker = home === undefined ? undefined : { home, aliveSince: tx.now - ALIVE_MS };
      const [row] = await selectReady(tx, projectId, { limit: 1, within, taker });
      if (row && home !== undefined && row.home !== home) await updateHome(tx, row.id, home);
      return row && take(tx, row, claim, by);
    });
  }

  /** Takes a task from a worker that is known to be gone. Does nothing if there is no such task. */
  async freeFromDead(
    projectId: string,
    id: string,
    isDead: (worker: string) => boolean,
    by: By,
  ): Promise<void> {
    const { assignee = null } = (await selectTask(this.#store.reader, projectId, id)) ?? {};
    if (assignee === null || !isDead(assignee)) return;
    await this.#store.write(projectId, async (tx) => {
      await changeTask(tx, await requireTask(tx, id), { kind: 'reclaim', now: tx.now, dead: assignee }, by);
    });
  }

  async heartbeat(projectId: string, id: string, fence: number, leaseSeconds: number, by: By): Promise<Task> {
    const lease = check(Claim.shape.leaseSeconds, leaseSeconds, 'Lease');
    return this.#change(projectId, id, by, (tx) => ({
      kind: 'heartbeat',
      fence,
      leaseUntil: leaseEnd(tx, lease),
    }));
  }

  /** Throws if the task is unknown, or if the claim with this fence is not the current one. */
  async requireClaim(projectId: string, id: string, fence: number | undefined): Promise<void> {
    const row = await selectTask(this.#store.reader, projectId, id);
    if (!row) throw unknownTask(id);
    requireFence(toTaskState(row), fence);
  }

  release(projectId: string, id: string, fence: number, by: By): Promise<Task> {
    return this.#change(projectId, id, by, () => ({ kind: 'release', fence }));
  }

  /** Takes a task from its holder, so that another worker can claim it. */
  async free(projectId: string, id: string, by: By): Promise<Task> {
    refuseAgent(by, 'take over a task');
    const { fence, status } = await this.get(projectId, id);
    if (status !== 'in_progress')
      throw new FermataError('conflict', `Task ${id} is ${status}, so nobody holds it.`);
    return this.#change(projectId, id, by, () => ({ kind: 'release', fence }));
  }

  /** Stops a task until a person unblocks it. Without a fence it overrides the holder. */
  async block(projectId: string, id: string, why: string, by: By, fence?: number): Promise<Task> {
    const reason = this.#redact(check(Reason, why, 'Reason'));
    return this.#change(projectId, id, by, () => ({ kind: 'block', reason, fence }));
  }

  /** Lifts a block. A task that has an open question keeps waiting for it. */
  async unblock(projectId: string, id: string, by: By): Promise<Task> {
    refuseAgent(by, 'remove a block that a person set');
    return this.#change(projectId, id, by, async (tx) => ({
      kind: 'unblock',
      openQuestions: await countBlocking(tx, id),
    }));
  }

  /** Closes a plain task: tasks that depend on it may start, and its open questions are withdrawn. */
  close(projectId: string, id: string, by: By, fence?: number): Promise<Task> {
    return this.#close(projectId, id, by, { fence, kinds: ['task'] });
  }

  /** Closes what Fermata carries out. The caller has made sure that a phase may end (`mayProceed`). */
  end(projectId: string, id: string, by: By, fence?: number): Promise<Task> {
    return this.#close(projectId, id, by, { fence });
  }

  #close(
    projectId: string,
    id: string,
    by: By,
    { fence, kinds }: { fence: number | undefined; kinds?: TaskKind[] },
  ): Promise<Task> {
    return this.#store.write(projectId, async (tx) => {
      const row = await requireTask(tx, id);
      refuseUnsentAgent(by, row, 'close');
      if (kinds && !kinds.includes(row.kind) && row.status !== 'closed') throw endsOtherwise(id);
      if (await changeTask(tx, row, { kind: 'close', fence }, by)) {
        await addToUnfinished(tx, id, -1);
        await withdrawQuestions(tx, id, `Task ${id} was closed.`, by);
        await forgetLivesOfTask(tx, id);
      }
      return view(tx, await requireTask(tx, id));
    });
  }

  /** `reverts`: merges of its work that were reverted for it. */
  reopen(projectId: string, id: string, by: By, reverts?: readonly string[]): Promise<Task> {
    return this.#store.write(projectId, async (tx) => {
      const row = await requireTask(tx, id);
      if (row.status === 'closed' || reverts === undefined) {
        await changeTask(tx, row, { kind: 'reopen', openQuestions: await countBlocking(tx, id) }, by);
        await addToUnfinished(tx, id, 1);
      }
      await insertPhaseRecord(tx, {
        project_id: projectId,
        task_id: id,
        kind: 'reopened',
        iteration: await selectIteration(tx, id),
        branch: null,
        at: tx.now,
        by: JSON.stringify(by),
        data: JSON.stringify({ reverts }),
      });
      return view(tx, await requireTask(tx, id));
    });
  }

  /** The chat of a task, oldest first; `after` is the id of the last message the caller has. */
  async chat(
    projectId: string,
    id: string,
    { after = 0, limit = 1000 }: { after?: number; limit?: number } = {},
  ): Promise<ChatMessage[]> {
    return (await selectChat(this.#store.reader, projectId, id, { after, limit })).map(toChatMessage);
  }

  /** Adds to the chat. What a person says is queued for the task's agent, unless it is only a report. */
  async say(
    projectId: string,
    id: string,
    text: string,
    by: By,
    { interrupts = false, isReport = false }: { interrupts?: boolean; isReport?: boolean } = {},
  ): Promise<ChatMessage> {
    bounded(text, limits.chatText, 'The message', 'Shorten it.');
    const isForAgent = by.actor.kind === 'person' && !isReport;
    return this.#store.write(projectId, async (tx) => {
      const { title } = await requireTask(tx, id);
      await countForAgent(tx, by, 'chat');
      const [row] = await insertChat(tx, {
        task_id: id,
        by: JSON.stringify(by),
        text: this.#redact(text),
        notification_id: null,
        delivery: isForAgent ? 'queued' : null,
        interrupts: isForAgent && interrupts ? 1 : 0,
      });
      if (!row) throw new Error('An insert gave no row back.');
      const message = toChatMessage(row);
      tx.emit({ type: 'task.updated', by, data: { id, title, message } });
      return message;
    });
  }

  /** What people said to the agent of a task that it does not have yet, oldest first. */
  async queued(projectId: string, id: string, after = 0): Promise<ChatMessage[]> {
    return (await selectUnread(this.#store.reader, projectId, id, 'queued', after)).map(toChatMessage);
  }

  /** Each message that is queued for the agent of a task, now and as they come, until the signal. */
  async *listen(projectId: string, id: string, signal: AbortSignal): AsyncGenerator<ChatMessage, void> {
    const changes = changed(this.#store, signal);
    let last = 0;
    try {
      while (!signal.aborted) {
        for (const message of await this.queued(projectId, id, last)) {
          last = message.id;
          yield message;
        }
        await changes.next();
      }
    } finally {
      changes.stop();
    }
  }

  /** The agent can no longer lose these messages. */
  delivered(projectId: string, id: string, messages: readonly ChatMessage[], by: By): Promise<void> {
    return this.#deliver(projectId, id, by, async (tx) =>
      (await Promise.all(messages.map((each) => updateQueued(tx, id, each.id, 'delivered')))).flat(),
    );
  }

  /** The agent's model has gone on with everything that was delivered. */
  async read(projectId: string, id: string, by: By): Promise<void> {
    if ((await selectUnread(this.#store.reader, projectId, id, 'delivered')).length === 0) return;
    await this.#deliver(projectId, id, by, (tx) => updateDelivered(tx, id));
  }

  async #deliver(
    projectId: string,
    id: string,
    by: By,
    update: (tx: Tx) => Promise<ChatRow[]>,
  ): Promise<void> {
    await this.#store.write(projectId, async (tx) => {
      const { title } = await requireTask(tx, id);
      const messages = (await update(tx)).map(toChatMessage).sort((a, b) => a.id - b.id);
      for (const message of messages) tx.emit({ type: 'task.updated', by, data: { id, title, message } });
    });
  }

  #change(
    projectId: string,
    id: string,
    by: By,
    command: (tx: Tx) => TaskCommand | Promise<TaskCommand>,
  ): Promise<Task> {
    return this.#store.write(projectId, async (tx) => {
      const row = await requireTask(tx, id);
      return view(tx, (await changeTask(tx, row, await command(tx), by)) ?? row);
    });
  }
}

function endsOtherwise(id: string): FermataError {
  return new FermataError(
    'conflict',
    `${id} is a phase of a plan. Complete it with "${cmd`plan complete-prompt`}".`,
  );
}

/** Adds all tasks first, so that each may depend on any other. */
async function addProposed(tx: Tx, tasks: ProposedTask[], redact: Redact, by: By): Promise<string[]> {
  const ids: string[] = [];
  for (const { dependsOn: _, ...task } of tasks) {
    const input = check(TaskInput, { ...task, projectId: tx.projectId }, 'Task');
    ids.push(await addTask(tx, redactTask(input, redact), by));
  }
  for (const [index, { dependsOn = [] }] of tasks.entries()) {
    for (const position of dependsOn) {
      await addDependency(tx, ids[index] ?? '', ids[position] ?? `number ${position + 1}`);
    }
  }
  return ids;
}

/** A task under the same id; a finished or failed one starts again. */
async function replaceInput(tx: Tx, row: TaskRow, { kind, input }: Work, by: By): Promise<void> {
  const { id, status, assignee } = row;
  if (row.kind !== kind)
    throw new FermataError('conflict', `There is another task ${id}, which a person or an agent added.`);
  const isSame = row.input === JSON.stringify(input);
  if (status === 'in_progress' && !isSame)
    throw new FermataError('conflict', `${assignee} is already working on ${id}. Withdraw it first.`);
  await startAgain(tx, row, by);
  // Who queued it wanted what it was about before.
  if (status !== 'in_progress') await updateUnqueued(tx, id);
  if (!isSame) await updateInput(tx, id, JSON.stringify(input));
}
