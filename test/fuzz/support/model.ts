/** The simplest model of a ledger: maps and lists in memory, no transactions, no SQL. */

export type Refusal = 'invalid' | 'not_found' | 'conflict' | 'stale' | 'gone';
export class Refused extends Error {
  readonly code: Refusal;
  constructor(code: Refusal) {
    super(code);
    this.code = code;
  }
}

export interface ModelTask {
  id: string;
  status: 'open' | 'in_progress' | 'blocked' | 'closed';
  assignee: string | null;
  blockReason: string | null;
  priority: number;
  fence: number;
  dependsOn: Set<string>;
}

export interface ModelNotification {
  task: string;
  questions: string[];
  status: string;
  outcome: string | undefined;
  /** By question: the answer, or why it was refused. */
  responses: Map<string, string>;
}

/** A fence to write with: none, the current one, or the previous one. */
export type Fence = 'none' | 'current' | 'old';

export class Model {
  readonly tasks = new Map<string, ModelTask>();
  readonly notifications: ModelNotification[] = [];
  events: string[] = [];
  /** Those that were asked for a task that existed: they hold it, and their responses are in its chat. */
  readonly holding = new Set<ModelNotification>();
  inChat = 0;

  add(id: string, priority: number, dependsOn: string[]): void {
    if (this.tasks.has(id)) throw new Refused('conflict');
    for (const other of dependsOn) {
      if (other === id) throw new Refused('invalid');
      this.task(other);
    }
    this.tasks.set(id, {
      id,
      status: 'open',
      assignee: null,
      blockReason: null,
      priority,
      fence: 0,
      dependsOn: new Set(dependsOn),
    });
    this.events.push('task.updated');
  }

  depend(id: string, on: string): void {
    const task = this.task(id);
    if (id === on) throw new Refused('invalid');
    this.task(on);
    if (this.waitsFor(on, id)) throw new Refused('invalid');
    if (task.dependsOn.has(on)) return;
    task.dependsOn.add(on);
    this.events.push('task.updated');
  }

  claim(id: string, worker: string): void {
    const task = this.task(id);
    if (task.status !== 'open' || this.isHeldUp(task)) throw new Refused('conflict');
    this.take(task, worker);
  }

  /** The id that is taken, if any. */
  claimNext(worker: string): string | undefined {
    const [id] = this.ready();
    if (id !== undefined) this.take(this.task(id), worker);
    return id;
  }

  heartbeat(id: string, fence: Fence): void {
    this.requireHolder(this.task(id), fence);
  }

  release(id: string, fence: Fence): void {
    const task = this.task(id);
    this.requireHolder(task, fence);
    this.change(task, { status: 'open', assignee: null });
  }

  block(id: string, fence: Fence): void {
    const task = this.task(id);
    this.requireFence(fence);
    if (task.status === 'closed') throw new Refused('conflict');
    if (fence !== 'none' && task.status === 'open') throw new Refused('stale');
    this.change(task, { status: 'blocked', assignee: null, blockReason: 'Legal', fence: task.fence + 1 });
  }

  unblock(id: string): void {
    const task = this.task(id);
    if (task.status !== 'blocked') throw new Refused('conflict');
    this.change(task, this.openOrWaiting(id));
  }

  close(id: string, fence: Fence): void {
    const task = this.task(id);
    this.requireFence(fence);
    if (task.status === 'closed') return;
    this.change(task, { status: 'closed', assignee: null, blockReason: null, fence: task.fence + 1 });
    for (const asked of this.openOf(id)) this.end(asked, 'withdrawn');
  }

  reopen(id: string): void {
    const task = this.task(id);
    if (task.status !== 'closed') throw new Refused('conflict');
    this.change(task, this.openOrWaiting(id));
  }

  /** The place of the notification: a new one, or the open one that asks the same. */
  ask(id: string, questions: string[], fence: Fence): number {
    const known = this.tasks.get(id);
    if (known) this.requireFence(fence);
    const same = this.notifications.findIndex(
      (n) => n.status === 'open' && n.task === id && n.questions.join() === questions.join(),
    );
    const place = same >= 0 ? same : this.notifications.length;
    if (same < 0) {
      this.notifications.push({
        task: id,
        questions,
        status: 'open',
        outcome: undefined,
        responses: new Map(),
      });
      this.events.push('notification.added');
    }
    const asked = this.notifications[place];
    if (known && asked) this.holding.add(asked);
    if (known?.status === 'open' || known?.status === 'in_progress') {
      this.change(known, { status: 'blocked', assignee: null, blockReason: 'Open Question' });
    }
    return place;
  }

  answer(place: number, given: Map<string, string>): void {
    const asked = this.asked(place);
    if (asked.outcome === 'withdrawn' || asked.outcome === 'superseded') throw new Refused('gone');
    for (const question of given.keys()) if (!isQuestion(asked, question)) throw new Refused('invalid');
    for (const [question, answer] of given) {
      const before = asked.responses.get(question);
      if (before === undefined ? asked.status !== 'open' : before !== answer) throw new Refused('conflict');
    }
    const fresh = [...given].filter(([question]) => !asked.responses.has(question));
    if (fresh.length === 0) return;
    for (const [question, answer] of fresh) this.respond(asked, question, answer);
    if (asked.responses.size < asked.questions.length) this.events.push('notification.updated');
    else this.end(asked, outcomeOf([...asked.responses.values()]));
  }

  dismiss(place: number): void {
    const asked = this.asked(place);
    if (asked.outcome === 'withdrawn' || asked.outcome === 'superseded') throw new Refused('gone');
    if (asked.outcome === 'declined') return;
    if (asked.status !== 'open') throw new Refused('conflict');
    for (const [n] of asked.questions.entries()) {
      const question = `q${n + 1}`;
      if (!asked.responses.has(question)) this.respond(asked, question, '(dismissed)');
    }
    this.end(asked, 'declined');
  }

  private respond(asked: ModelNotification, question: string, response: string): void {
    asked.responses.set(question, response);
    if (this.holding.has(asked)) this.inChat += 1;
  }

  withdraw(place: number): void {
    this.takeBack(this.asked(place), 'withdrawn');
  }

  supersede(place: number, by: number): void {
    if (place === by) throw new Refused('invalid');
    const asked = this.asked(place);
    this.asked(by);
    this.takeBack(asked, 'superseded');
  }

  deliver(place: number): void {
    const asked = this.asked(place);
    if (asked.status === 'open') throw new Refused('invalid');
    if (asked.status === 'delivered') return;
    asked.status = 'delivered';
    this.events.push('notification.updated');
  }

  ready(): string[] {
    return [...this.tasks.values()]
      .filter((task) => task.status === 'open' && !this.isHeldUp(task))
      .sort((a, b) => a.priority - b.priority)
      .map((task) => task.id);
  }

  private task(id: string): ModelTask {
    const task = this.tasks.get(id);
    if (!task) throw new Refused('not_found');
    return task;
  }

  private asked(place: number): ModelNotification {
    const asked = this.notifications[place];
    if (!asked) throw new Refused('not_found');
    return asked;
  }

  private change(task: ModelTask, fields: Partial<ModelTask>): void {
    Object.assign(task, fields);
    this.events.push('task.updated');
  }

  private take(task: ModelTask, worker: string): void {
    this.change(task, { status: 'in_progress', assignee: worker, fence: task.fence + 1 });
  }

  private takeBack(asked: ModelNotification, outcome: 'withdrawn' | 'superseded'): void {
    if (asked.outcome === outcome) return;
    if (asked.status !== 'open') throw new Refused('conflict');
    this.end(asked, outcome);
  }

  /** Ends a notification, and releases the task that waited for it and for nothing else. */
  private end(asked: ModelNotification, outcome: string): void {
    asked.status = outcome;
    asked.outcome = outcome;
    this.events.push('notification.resolved');
    const task = this.tasks.get(asked.task);
    if (task?.blockReason !== 'Open Question' || this.openOf(asked.task).length > 0) return;
    this.change(task, { status: 'open', blockReason: null });
  }

  private openOrWaiting(id: string): Partial<ModelTask> {
    return this.openOf(id).length > 0
      ? { status: 'blocked', blockReason: 'Open Question' }
      : { status: 'open', blockReason: null };
  }

  private openOf(id: string): ModelNotification[] {
    return this.notifications.filter((n) => n.task === id && n.status === 'open' && this.holding.has(n));
  }

  private isHeldUp(task: ModelTask): boolean {
    return [...task.dependsOn].some((id) => this.task(id).status !== 'closed');
  }

  private waitsFor(from: string, target: string): boolean {
    return [...this.task(from).dependsOn].some((id) => id === target || this.waitsFor(id, target));
  }

  private requireFence(fence: Fence): void {
    if (fence === 'old') throw new Refused('stale');
  }

  private requireHolder(task: ModelTask, fence: Fence): void {
    this.requireFence(fence);
    if (task.status !== 'in_progress') throw new Refused('stale');
  }
}

const isQuestion = (asked: ModelNotification, id: string) =>
  asked.questions.some((_, n) => id === `q${n + 1}`);

function outcomeOf(responses: string[]): string {
  if (responses.some((r) => !r.startsWith('('))) return 'answered';
  return responses.includes('(dismissed)') ? 'declined' : 'skipped';
}
