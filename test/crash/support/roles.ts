import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { handOver } from '../../../src/ledger/tasks/hand-over.ts';
import type { By } from '../../../src/schema/actor.ts';
import { FermataError } from '../../../src/schema/error.ts';
import { type Notification, Outcome } from '../../../src/schema/notification.ts';
import { answerTo, type Content, isForAnswers, questionOf, type Recovered, type Refused } from './words.ts';

const coder: By = { actor: { kind: 'agent', name: 'coder' }, channel: 'agent' };
const person: By = { actor: { kind: 'person', name: 'ann' }, channel: 'command' };

export interface Asker {
  ledger: Ledger;
  project: string;
  /** A file here means that the asker has the answer. */
  dir: string;
}

/** A project with open tasks; each has already asked if the answering process is the one to die. */
export async function prepare(ledger: Ledger, project: string, ids: string[]): Promise<void> {
  await ledger.projects.ensure({ id: project, name: project, root: null });
  await Promise.all(ids.map((id) => ledger.tasks.add({ projectId: project, id, title: id }, coder)));
  if (isForAnswers(project)) await Promise.all(ids.map((id) => ask(ledger, project, id)));
}

/** What an asker does, the first time and after it died. */
export async function askAndReceive({ ledger, project, dir }: Asker, task: string): Promise<void> {
  const { id } = await ask(ledger, project, task);
  const settled = await ledger.notifications.wait(project, id);
  if (!settled) throw new Error(`${id} was not settled`);
  const receive = async ({ responses: [response] }: Notification) => {
    const line = response?.kind === 'answered' ? response.answer : response?.kind;
    appendFileSync(join(dir, task), `${line}\n`);
  };
  await handOver(ledger, settled, receive, coder);
}

async function ask(ledger: Ledger, project: string, task: string): Promise<Notification> {
  const asked = { projectId: project, source: 'execute' as const, sourceId: task, takeUp: true };
  return (await ledger.notifications.create({ ...asked, questions: [questionOf(task)] }, coder)).notification;
}

export async function answer(ledger: Ledger, project: string, task: string): Promise<void> {
  const { id } = await find(ledger, project, task);
  await ledger.notifications.resolve(project, id, reply(answerTo(task)), person);
}

/** Answers each question as it comes, and tells once the ledger has acknowledged it. */
export async function answerEverything(
  { ledger, project }: Asker,
  acknowledged: (task: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for await (const event of ledger.events.watch(project, 0, signal)) {
    if (event.type !== 'notification.added') continue;
    const { id, sourceId } = event.data.notification as Notification;
    await ledger.notifications.resolve(project, id, reply(answerTo(sourceId)), person);
    acknowledged(sourceId);
  }
}

/** The process that died starts again and repeats its work; then somebody tries to answer differently. */
export async function recover(asker: Asker, tasks: string[]): Promise<Recovered> {
  const { ledger, project } = asker;
  const delivered = (await all(ledger, project)).filter(({ status }) => status === 'delivered');
  const left = tasks.filter((task) => !delivered.some(({ sourceId }) => sourceId === task));
  if (isForAnswers(project)) await Promise.all(left.map((task) => answer(ledger, project, task)));
  await Promise.all(left.map((task) => askAndReceive(asker, task)));
  const refused = await Promise.all(tasks.map((task) => contradict(ledger, project, task)));
  return { content: await look(ledger, project), refused };
}

/** A second, different answer must be refused, with the first one in the error. */
async function contradict(ledger: Ledger, project: string, task: string): Promise<Refused> {
  const { id } = await find(ledger, project, task);
  try {
    await ledger.notifications.resolve(project, id, reply('something else'), person);
    return { task, code: 'accepted', message: '' };
  } catch (error) {
    if (!(error instanceof FermataError)) throw error;
    return { task, code: error.code, message: error.message };
  }
}

export async function look(ledger: Ledger, project: string): Promise<Content> {
  const tasks = await ledger.tasks.list(project);
  return {
    lastEvent: (await ledger.projects.get(project)).lastEvent,
    events: await ledger.events.list(project, 0, 100_000),
    notifications: await all(ledger, project),
    tasks,
    chat: (await Promise.all(tasks.map((task) => ledger.tasks.chat(project, task.id)))).flat(),
    decisions: await ledger.decisions.list(project),
  };
}

async function find(ledger: Ledger, project: string, task: string): Promise<Notification> {
  const found = (await all(ledger, project)).find(({ sourceId }) => sourceId === task);
  if (!found) throw new Error(`task ${task} has no question`);
  return found;
}

async function all(ledger: Ledger, projectId: string): Promise<Notification[]> {
  const status = ['open' as const, 'delivered' as const, ...Outcome.options];
  return (await ledger.notifications.list({ projectId, status, limit: 1000 })).notifications;
}

function reply(answer: string) {
  return { responses: [{ questionId: 'q1', answer }] };
}
