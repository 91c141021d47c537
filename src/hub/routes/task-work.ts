import { basename } from 'node:path';
import { requirePlanName } from '../../plan/plan-folder.ts';
import { FermataError } from '../../schema/error.ts';
import { type NewWork, StartInput, type SubmittedWork, type Work, type WorkTask } from '../../schema/work.ts';
import { newPlanFolder } from '../plan-folders.ts';
import { type Call, type Route, route } from '../route.ts';
import { TaskView, taskView } from './task-holder.ts';

type Called = Pick<Call<unknown, unknown>, 'ledger' | 'work' | 'params' | 'by' | 'caller'>;

/** Adds what agents of the hub or workers shall do, besides plain tasks. Nothing is added if it could not start. */
export async function addWork(call: Called, given: NewWork): Promise<WorkTask> {
  const { ledger, params, by } = call;
  const { start, dependsOn, priority, ...asked } = given;
  const projectId = params.project ?? '';
  const { name, work } = await named(call, asked);
  const more = { ...(dependsOn ? { dependsOn } : {}), ...(priority === undefined ? {} : { priority }) };
  const before = name.id === undefined ? undefined : await ledger.tasks.findWork(projectId, name.id);
  const begin = start && (await prepare(call, work, before, start));
  const task: WorkTask = await ledger.tasks.submit({ projectId, ...name, ...more }, work, by);
  await begin?.(task);
  return task;
}

async function named(
  call: Called,
  asked: Asked,
): Promise<{ name: { id?: string; title: string }; work: SubmittedWork }> {
  const names = await import('../../work/worker/task-names.ts');
  switch (asked.kind) {
    case 'run':
      return { name: names.runName(planOf(asked.input.plan)), work: asked };
    case 'draft':
    case 'convert':
    case 'plan_from_issues':
      return { name: names.planName(asked.kind, planOf(asked.input.plan)), work: asked };
    case 'review': {
      const { reviews } = asked.input;
      const input = await reviewedBy(call, reviews);
      return { name: names.reviewName(reviews), work: { kind: 'review', input: { ...input, reviews } } };
    }
    case 'feedback':
    case 'prd':
    case 'decompose':
      return { name: { title: names.roleTitle(asked.kind, asked.input.text) }, work: asked };
    default: {
      const never: never = asked;
      throw never;
    }
  }
}

/** The plan and the branch of a phase. */
async function reviewedBy(
  { ledger, work, params, by }: Called,
  taskId: string,
): Promise<{ plan: string; branch: string }> {
  const { project = '' } = params;
  if (await work.hasFolder(project)) return work.reviewed(project, taskId, by);
  const { planWorktree } = await import('../../work/kinds/task/worktree-of.ts');
  await ledger.tasks.get(project, taskId);
  const { plan, branch } = await planWorktree(ledger, project, taskId);
  return { plan, branch };
}

type Unnamed<Each> = Each extends unknown ? Omit<Each, 'start' | 'dependsOn' | 'priority'> : never;
type Asked = Unnamed<NewWork>;

/** A plan that is named over the hub is in `plans/`. */
function planOf(path: string): string {
  const name = path.replace(/^plans\//, '');
  requirePlanName(name);
  if (path === name) throw new FermataError('invalid', `Name the plan with its folder: "plans/${name}".`);
  return name;
}

/** Checks what could prevent the work; the result starts it. `before`: the task as it was, if there is one. */
async function prepare(
  { ledger, work, by, params }: Called,
  wanted: Work,
  before: WorkTask | undefined,
  input: StartInput,
): Promise<(task: WorkTask) => Promise<void>> {
  const projectId = params.project ?? '';
  const { taskProgress, planProgress } = await import('../task-progress.ts');
  const place = { ledger, work, projectId };
  const progress =
    wanted.kind === 'run'
      ? await planProgress(place, basename(wanted.input.plan))
      : before && (await taskProgress(place, before));
  const isTheirs = input.workers !== undefined || !(await work.hasFolder(projectId));
  if (isTheirs || progress?.workers?.queued) {
    const { startByWorkers } = await import('../../work/worker/queue-by-ledger.ts');
    return (task) => startByWorkers({ ledger, by, projectId }, task, input);
  }
  if (progress?.running)
    throw new FermataError(
      'conflict',
      'An agent works on it already. Wait until that ends, or stop it first.',
    );
  if (wanted.kind === 'draft' || wanted.kind === 'convert' || wanted.kind === 'plan_from_issues') {
    const { root } = await ledger.projects.get(projectId);
    if (root !== null) newPlanFolder(root, basename(wanted.input.plan));
  }
  const begin = await work.prepare({ projectId, work: wanted, id: before?.id }, input, by);
  return ({ id }) => begin(id);
}

const common = { who: 'person', data: TaskView } as const;
const path = '/projects/:project/tasks/:task';

/** What people can do to the work on a task of any kind. */
export const taskWorkRoutes: Route[] = [
  route({
    ...common,
    operationId: 'startTask',
    method: 'post',
    path: `${path}/start`,
    summary: 'Has an agent work on a task, or continues that work, as the command for its kind does.',
    description: "On the hub's machine if the project has a folder there; otherwise by workers.",
    body: StartInput,
    async handle(call) {
      const task = await taskOf(call);
      const begin = await prepare(call, task, task, call.body);
      await begin(task);
      return shown(call);
    },
  }),
  verb(
    'stop',
    'Stops the work on a task: agents save their sessions, and nobody continues until it is started.',
    (call, scope) => call.ledger.queue.stop(call.params.project ?? '', scope, call.by),
  ),
  verb(
    'pause',
    'Stops the work on a task, and keeps everybody from it until it is resumed or started.',
    (call, scope) => call.ledger.queue.pause(call.params.project ?? '', scope, call.by),
  ),
  verb('resume', 'Ends a pause.', (call, scope) =>
    call.ledger.queue.resume(call.params.project ?? '', scope, call.by),
  ),
  route({
    ...common,
    operationId: 'withdrawTask',
    method: 'post',
    path: `${path}/withdraw`,
    summary: 'Ends the work on a task that is no longer wanted.',
    description: 'What depends on it waits until a person decides.',
    async handle(call) {
      const { ledger, params, by } = call;
      const project = params.project ?? '';
      for (const scope of await scopesOf(call)) await ledger.queue.stop(project, scope, by);
      await ledger.queue.withdraw(project, params.task ?? '', by);
      return shown(call);
    },
  }),
];

function verb(
  name: 'stop' | 'pause' | 'resume',
  summary: string,
  act: (call: Called, scope: string) => Promise<unknown>,
): Route {
  return route({
    ...common,
    operationId: `${name}Task`,
    method: 'post',
    path: `${path}/${name}`,
    summary,
    async handle(call) {
      for (const scope of await scopesOf(call)) await act(call, scope);
      return shown(call);
    },
  });
}

/** The task, and for a plan its phases. */
async function scopesOf(call: Called): Promise<string[]> {
  const task = await taskOf(call);
  if (task.kind !== 'run') return [task.id];
  const { tasksWithin } = await import('../../work/phases/phase-task.ts');
  return [task.id, tasksWithin(basename(task.input.plan))];
}

const taskOf = ({ ledger, params }: Called): Promise<WorkTask> =>
  ledger.tasks.work(params.project ?? '', params.task ?? '');

/** A task with how far the work on it is. */
export async function shown(call: Called): Promise<{ data: TaskView }> {
  const { ledger, work, params, caller } = call;
  const task = await taskOf(call);
  const { taskProgress } = await import('../task-progress.ts');
  const progress = await taskProgress({ ledger, work, projectId: params.project ?? '' }, task);
  const { input: _, options: __, requestedBy: ___, result, ...plain } = task;
  return { data: { ...taskView(caller, plain), ...(isToldResult(task) ? { result } : {}), work: progress } };
}

/** What a plan was made from may be large, and is in the tracker. */
const isToldResult = ({ kind }: WorkTask) => kind !== 'plan_from_issues';
