import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import { limits } from '../../schema/limits.ts';
import type { Notification } from '../../schema/notification.ts';
import {
  type Run,
  type RunData,
  type RunEnding,
  RunInput,
  type RunJudgement,
  type RunStep,
} from '../../schema/run.ts';
import type { ChatMessage, Claim } from '../../schema/task.ts';
import { refuseAgent } from '../access/refuse-agent.ts';
import { check } from '../check.ts';
import type { Store } from '../engine/store.ts';
import { iso, readCursor } from '../engine/stored.ts';
import { newId } from '../ids.ts';
import { toNotification } from '../notifications/notification-sql.ts';
import { bounded } from '../notifications/questions.ts';
import { forgetApprovals } from '../notifications/request-sql.ts';
import { deliver } from '../notifications/settle.ts';
import { isFromWrongClock } from '../projects/project-clock.ts';
import type { Redact } from '../redact/redact.ts';
import { insertChat, selectUnread, updateQueued, updateRead } from '../tasks/task-chat-sql.ts';
import { toChatMessage } from '../tasks/task-row.ts';
import { requireHolder, unknownRun } from './require-holder.ts';
import { decideRun, isFree, type RunCommand } from './run-machine.ts';
import { toRun, toRunData, toRunState } from './run-row.ts';
import {
  clearSession,
  insertRun,
  moveRun,
  selectRun,
  selectRunQuestions,
  selectRuns,
  selectRunsOf,
  selectRunsOfTask,
  selectUnfinishedRuns,
  updateData,
  updateRun,
  updateSession,
} from './run-sql.ts';

type Ending = Omit<RunEnding, 'text'>;

/** Which agents are running, who holds them, and which can continue. */
export class RunService {
  readonly #store: Store;
  readonly #redact: Redact;

  /** @internal */
  constructor(store: Store, redact: Redact) {
    this.#store = store;
    this.#redact = redact;
  }

  /** Records a run, which the caller now holds. */
  start(input: RunInput, claim: Claim, by: By): Promise<Run> {
    const run = check(RunInput, input, 'Run');
    const taskId = run.taskId === undefined && run.source === 'execute' ? run.sourceId : (run.taskId ?? null);
    return this.#store.write(run.projectId, async (tx) => {
      const id = newId('r');
      const leaseUntil = tx.now + claim.leaseSeconds * 1000;
      await insertRun(tx, {
        id,
        project_id: run.projectId,
        task_id: taskId,
        agent: run.agent,
        source: run.source,
        source_id: run.sourceId,
        cwd: run.cwd,
        status: 'running',
        session_id: null,
        data: JSON.stringify(run.data),
        end: null,
        holder: claim.worker,
        lease_until: leaseUntil,
        fence: 1,
        started_at: tx.now,
        ended_at: null,
      });
      tx.emit({
        type: 'run.event',
        by,
        data: { id, kind: 'started', agent: run.agent, sourceId: run.sourceId },
      });
      return {
        ...run,
        id,
        taskId,
        status: 'running',
        sessionId: null,
        end: null,
        holder: claim.worker,
        leaseUntil: iso(leaseUntil),
        fence: 1,
        startedAt: iso(tx.now),
        endedAt: null,
      };
    });
  }

  async get(projectId: string, id: string): Promise<Run> {
    const row = await selectRun(this.#store.reader, projectId, id);
    if (!row) throw unknownRun(id);
    return toRun(row);
  }

  async list(projectId: string, limit = 100, after?: string): Promise<Run[]> {
    const page = { limit, after: after === undefined ? undefined : readCursor(after) };
    return (await selectRuns(this.#store.reader, projectId, page)).map(toRun);
  }

  /** The runs for one asker, newest first. */
  async of(projectId: string, source: Run['source'], sourceId: string): Promise<Run[]> {
    return (await selectRunsOf(this.#store.reader, projectId, source, sourceId)).map(toRun);
  }

  /** The runs for a task, newest first. */
  async ofTask(projectId: string, taskId: string): Promise<Run[]> {
    return (await selectRunsOfTask(this.#store.reader, projectId, taskId)).map(toRun);
  }

  /** What a run asked so far, oldest first. */
  async questions(projectId: string, id: string, limit?: number): Promise<Notification[]> {
    return (await selectRunQuestions(this.#store.reader, projectId, id, limit)).map(toNotification);
  }

  /** Runs that have not ended, oldest first, however many have. */
  async unfinished(projectId: string): Promise<Run[]> {
    return (await selectUnfinishedRuns(this.#store.reader, projectId)).map(toRun);
  }

  /** Runs that no live process holds, oldest first; any process may take them. */
  async abandoned(projectId: string, isDead: (holder: string) => boolean): Promise<Run[]> {
    const unfinished = () => selectUnfinishedRuns(this.#store.reader, projectId);
    let rows = await unfinished();
    if (rows.some(({ lease_until }) => isFromWrongClock(lease_until, Date.now()))) {
      await this.#store.write(projectId, async () => undefined); // corrects the leases
      rows = await unfinished();
    }
    const dead = (holder: string | null) => (holder !== null && isDead(holder) ? holder : undefined);
    return rows.filter((row) => isFree(toRunState(row), Date.now(), dead(row.holder))).map(toRun);
  }

  /** Takes a run whose holder is gone; `dead` names a holder that is known to have died before its lease expired. */
  take(projectId: string, id: string, claim: Claim, by: By, dead?: string): Promise<Run> {
    return this.#change(projectId, id, by, (now) => ({
      kind: 'take',
      holder: claim.worker,
      leaseUntil: now + claim.leaseSeconds * 1000,
      now,
      dead,
    }));
  }

  heartbeat(run: Run, leaseSeconds: number, by: By): Promise<Run> {
    return this.#change(run.projectId, run.id, by, (now) => ({
      kind: 'heartbeat',
      fence: run.fence,
      leaseUntil: now + leaseSeconds * 1000,
    }));
  }

  /** Releases the run; it continues when its questions are settled. */
  wait(run: Run, by: By): Promise<Run> {
    return this.#change(run.projectId, run.id, by, () => ({ kind: 'wait', fence: run.fence }));
  }

  /** Stores how the agent of a run ended. The run ends only when nobody can lose what the agent made. */
  say(run: Run, end: Ending, text: string, by: By): Promise<Run> {
    return this.#change(run.projectId, run.id, by, () => ({ kind: 'say', fence: run.fence }), { end, text });
  }

  /** What the agent made is gone, so the run continues without it. */
  unsay(run: Run, by: By): Promise<Run> {
    return this.#change(run.projectId, run.id, by, () => ({ kind: 'unsay', fence: run.fence }));
  }

  /** Ends a run. The agent's last message is stored with it, so that it can be used after a crash. */
  end(run: Run, end: Ending, text: string, by: By): Promise<Run> {
    return this.#change(run.projectId, run.id, by, () => ({ kind: 'end', fence: run.fence }), { end, text });
  }

  /** The agent has lost its session; the next one that it names counts. */
  forgetSession(run: Run): Promise<void> {
    return this.#store.write(run.projectId, async (tx) => {
      await requireHolder(tx, run);
      await clearSession(tx, run.id);
    });
  }

  /** The run continues in another home, without its earlier session. */
  move(run: Run, { cwd, home }: { cwd: string; home?: string }): Promise<Run> {
    return this.#store.write(run.projectId, async (tx) => {
      await requireHolder(tx, run);
      const moved = await moveRun(tx, run.id, cwd, JSON.stringify({ ...run.data, home }));
      if (!moved) throw unknownRun(run.id);
      return toRun(moved);
    });
  }

  /** Stores the id with which the agent can be resumed, as soon as it is known. */
  setSession(run: Run, sessionId: string, by: By): Promise<void> {
    return this.#store.write(run.projectId, async (tx) => {
      await requireHolder(tx, run);
      if (!(await updateSession(tx, run.id, sessionId))) return;
      tx.emit({ type: 'run.event', by, data: { id: run.id, kind: 'session', sessionId } });
    });
  }

  /** Records what the agent said and did, for viewers; bounded and redacted. */
  report(run: Run, steps: RunStep[], by: By): Promise<void> {
    return this.#store.write(run.projectId, async (tx) => {
      await requireHolder(tx, run);
      for (const step of steps) {
        tx.emit({ type: 'run.event', by, data: { id: run.id, ...this.#clean(step) } });
      }
    });
  }

  #clean(step: RunStep): RunStep {
    switch (step.kind) {
      case 'text':
        return { ...step, text: this.#redact(step.text).slice(0, limits.runText) };
      case 'tool':
        return { ...step, tool: this.#redact(step.tool).slice(0, limits.runText) };
      case 'usage':
        return step;
      default: {
        const never: never = step;
        return never;
      }
    }
  }

  /** Queues what a person says to the agent of a session. */
  tell({ projectId, id }: Run, text: string, by: By): Promise<ChatMessage> {
    refuseAgent(by, 'write to a session');
    bounded(text, limits.chatText, 'The message', 'Shorten it.');
    return this.#store.write(projectId, async (tx) => {
      const row = await selectRun(tx, projectId, id);
      if (!row) throw unknownRun(id);
      if (row.status === 'ended' || toRunData(row).for !== 'session')
        throw new FermataError('gone', `Run ${id} is not an open session, so nobody would read it.`);
      const [said] = await insertChat(tx, {
        ...{ task_id: row.source_id, by: JSON.stringify(by), text: this.#redact(text) },
        ...{ notification_id: null, delivery: 'queued', interrupts: 0 },
      });
      if (!said) throw new Error('An insert gave no row back.');
      const message = toChatMessage(said);
      tx.emit({ type: 'run.event', by, data: { id, kind: 'message', message } });
      return message;
    });
  }

  /** What people said to a session and its agent has not read yet, oldest first. */
  async unread({ projectId, sourceId }: Run): Promise<ChatMessage[]> {
    const unread = (delivery: 'queued' | 'delivered') =>
      selectUnread(this.#store.reader, projectId, sourceId, delivery);
    const rows = [...(await unread('delivered')), ...(await unread('queued'))];
    return rows.map(toChatMessage).sort((a, b) => a.id - b.id);
  }

  /** The agent program took this message (`delivered`), or its model has gone on with it (`read`). */
  markMessage(
    { projectId, id, sourceId }: Run,
    message: ChatMessage,
    delivery: 'delivered' | 'read',
    by: By,
  ): Promise<void> {
    return this.#store.write(projectId, async (tx) => {
      const rows =
        delivery === 'read'
          ? await updateRead(tx, sourceId, message.id)
          : await updateQueued(tx, sourceId, message.id, delivery);
      for (const row of rows)
        tx.emit({ type: 'run.event', by, data: { id, kind: 'message', message: toChatMessage(row) } });
    });
  }

  setData(run: Run, data: RunData): Promise<void> {
    return this.#store.write(run.projectId, async (tx) => {
      await requireHolder(tx, run);
      await updateData(tx, run.id, JSON.stringify(data));
    });
  }

  /**
   * Stores the judgement of an ended run's answer, and that whoever asked these questions has their answers. Two processes
   * never act on the same answer.
   */
  judge(run: Run, judgement: RunJudgement, delivered?: { ids: readonly string[]; by: By }): Promise<void> {
    return this.#store.write(run.projectId, async (tx) => {
      if (delivered) for (const id of delivered.ids) await deliver(tx, id, delivered.by);
      const row = await selectRun(tx, run.projectId, run.id);
      if (!row) throw unknownRun(run.id);
      const data = toRunData(row);
      if (data.judgement !== undefined)
        throw new FermataError('stale', `Another process has used the answer of run ${run.id}. Try again.`);
      await updateData(tx, run.id, JSON.stringify({ ...data, judgement }));
    });
  }

  #change(
    projectId: string,
    id: string,
    by: By,
    command: (now: number) => RunCommand,
    said?: { end: Ending; text: string },
  ): Promise<Run> {
    const end = said && { ...said.end, message: this.#redact(said.end.message) };
    return this.#store.write(projectId, async (tx) => {
      const row = await selectRun(tx, projectId, id);
      if (!row) throw unknownRun(id);
      const before = toRunState(row);
      const told = command(tx.now);
      const after = decideRun(before, told);
      const stored = end
        ? JSON.stringify({ ...end, text: said.text })
        : told.kind === 'unsay'
          ? null
          : row.end;
      const changed = await updateRun(tx, before, after, stored);
      if (!changed) {
        throw new FermataError('stale', `Run ${id} was changed by someone else at the same time. Try again.`);
      }
      if (told.kind === 'end' && end?.reason === 'ok') await forgetApprovals(tx, row.source_id);
      if (told.kind === 'take' || told.kind === 'wait' || told.kind === 'end') {
        const { status, holder } = after;
        tx.emit({
          type: 'run.event',
          by,
          data: { id, kind: told.kind, status, holder, ...(end ? { end } : {}) },
        });
      }
      return toRun(changed);
    });
  }
}
