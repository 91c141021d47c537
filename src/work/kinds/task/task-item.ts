import { cmd } from '../../../schema/command-line.ts';
import type { PhaseRecord } from '../../../schema/phase-record.ts';
import type { Task } from '../../../schema/task.ts';
import { visible } from '../../../schema/visible.ts';
import { decidedAboutTask } from '../../decided/read-decided.ts';
import { TASK_PROTOCOL } from '../../phases/phase-standing.ts';
import type { GateCommand } from '../../phases/run-gates.ts';
import { briefSections, section } from '../../run/brief-sections.ts';
import type { AgentBrief } from '../../run/next-step.ts';
import type { TaskRun, WorkItem } from '../../run/work-run.ts';

/** A task without a plan as a work item for its agents. */
export function taskItem({ around, featureBranch: into, checks }: TaskRun, { id, title }: Task): WorkItem {
  const { ledger, projectId } = around;
  const decided = () => decidedAboutTask(ledger, projectId, id);
  const textOf = ({ body }: Task) => body.trim() || title;
  return {
    kind: 'task',
    taskId: id,
    name: id,
    title,
    label: `Task ${id}`,
    gates: checks,
    protocol: TASK_PROTOCOL,
    identity: {},
    resume: cmd`tasks work ${id}`,
    input: async (brief, { branch }) => {
      // A person may have edited it meanwhile.
      const task = await ledger.tasks.get(projectId, id);
      return taskPrompt({ task, branch, into, checks, decided: await decided(), ...brief });
    },
    reviewed: async () => ({
      kind: 'task',
      title: `${id}, ${title}`,
      content: textOf(await ledger.tasks.get(projectId, id)),
      decided: await decided(),
      criteria: [],
      gates: checks,
    }),
    aboutMerge: async () => aboutMerge(title, await ledger.phases.list(projectId, id)),
  };
}

/** The agent's own words, and how its work was checked. */
function aboutMerge(title: string, records: readonly PhaseRecord[]): string {
  const done = records.findLast((each) => each.kind === 'implementation');
  const gates = records.findLast((each) => each.kind === 'gates');
  const commands = (gates?.data.runs ?? []).map(({ command }) => command);
  const checked =
    commands.length > 0
      ? `Checks passed: ${commands.join(', ')}`
      : 'No checks ran, because this project has none.';
  return [title, ...(done ? [`The agent says: ${done.data.walkthrough}`] : []), checked]
    .join('\n\n')
    .slice(0, MAX_LENGTH);
}

const MAX_LENGTH = 60_000;

/** Everything that an agent gets for a task without a plan. */
interface TaskPrompt extends AgentBrief {
  task: Pick<Task, 'id' | 'title' | 'body'>;
  /** The branch of its worktree, and the one it is merged into. */
  branch: string;
  into: string;
  checks: readonly GateCommand[];
  /** What was decided about it; may be empty. */
  decided: string;
}

/** The part of an agent's prompt about this task. */
function taskPrompt({ task, branch, into, checks, decided, ...brief }: TaskPrompt): string {
  const commands = checks.map(({ command }) => `- ${command}`).join('\n');
  return [
    `Your task is ${task.id}: ${oneLine(task.title)}.`,
    `You are in its worktree, on branch ${branch}. Work only here, and commit your work. Do not merge, push or close the task: Fermata checks your work and merges it into ${into}.`,
    ...briefSections('task', brief),
    section('The task', task.body.trim() || task.title),
    ...(decided ? [decided] : []),
    section(
      'The checks',
      commands ? `Fermata runs these commands. All must succeed:\n${commands}` : 'This project has none.',
    ),
  ].join('\n\n');
}

const oneLine = (text: string) => visible(text).replace(/\s+/g, ' ').trim();
