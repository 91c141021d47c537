import { cmd } from '../../schema/command-line.ts';
import type { PhaseRecord } from '../../schema/phase-record.ts';
import type { Task } from '../../schema/task.ts';
import { decidedAboutTask } from '../decided/read-decided.ts';
import { TASK_PROTOCOL } from '../phases/phase-standing.ts';
import { taskPrompt } from './task-prompt.ts';
import type { TaskRun } from './task-run.ts';
import type { WorkItem } from './work-item.ts';

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
      const chat = await ledger.tasks.chat(projectId, id);
      return taskPrompt({ task, chat, branch, into, checks, decided: await decided(), ...brief });
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
