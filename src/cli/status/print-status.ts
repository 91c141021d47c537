import { colorsOn } from '../../channels/colors.ts';
import { cmd } from '../../schema/command-line.ts';
import { counted } from '../../schema/counted.ts';
import { questionTitle } from '../../schema/question-title.ts';
import { stateLook, type TaskState, taskStates } from '../../schema/task-state.ts';
import { describeDuration } from '../../text/duration.ts';
import { cut, oneLine } from '../table.ts';
import { spentWords } from './cost-words.ts';
import type { ProjectStatus, TaskLine } from './gather.ts';

const signs: Record<(typeof stateLook)[TaskState], string> = {
  held: '?',
  running: '●',
  failed: '✗',
  waiting: '·',
  done: '✓',
};

/** The status on one screen: each project with what is going on, most urgent first. */
export function statusText(
  projects: readonly ProjectStatus[],
  columns = process.stdout.columns || 100,
): string {
  const pc = colorsOn(process.stdout);
  return projects
    .map((each) => {
      const lines = each.lines.map((line) => taskLine(line));
      const more = each.more > 0 ? [`  and ${counted(each.more, 'more task')}: ${cmd`tasks`}`] : [];
      const all = [`${sums(each)}`, ...lines, ...more].map((line) => cut(line, columns - 1));
      return [pc.bold(cut(oneLine(each.project.name), columns - 1)), ...all].join('\n');
    })
    .join('\n\n');
}

function sums({ lines, notStarted, done, open }: ProjectStatus): string {
  const count = (state: TaskState) => lines.filter((line) => line.state === state).length;
  const states = taskStates.flatMap((state) => (count(state) > 0 ? [`${count(state)} ${state}`] : []));
  return [
    ...states,
    ...(notStarted > 0 ? [`${notStarted} not started`] : []),
    ...(done > 0 ? [`${done} done`] : []),
    ...(open > 0 ? [counted(open, 'open question')] : []),
  ].join(' · ');
}

function taskLine({ task, state, question, agent, since, doing, spent }: TaskLine): string {
  const asked = question && `${question.id} ${oneLine(question.questions.map(questionTitle)[0] ?? '')}`;
  const reason = state === 'failed' || state === 'blocked' ? (task.blockReason ?? '') : '';
  const age = since && describeDuration((Date.now() - Date.parse(since)) / 1000);
  const words = [
    asked ?? reason,
    agent && (state === 'working' ? `${agent} for ${age}` : agent),
    spentWords(spent),
    doing,
  ];
  const more = words.flatMap((word) => (word ? [oneLine(word)] : [])).join(' · ');
  return `  ${signs[stateLook[state]]} ${task.id}  ${oneLine(task.title)}  ${state}${more ? `  ${more}` : ''}`;
}

/** What a person can do next. */
export function nextSteps(projects: readonly ProjectStatus[]): string[] {
  const states = projects.flatMap(({ lines }) => lines.map(({ state }) => state));
  const has = (...wanted: TaskState[]) => wanted.some((state) => states.includes(state));
  const isOpen = projects.some(({ open }) => open > 0);
  return [
    ...(isOpen ? [`Answer what waits: ${cmd`answer --all`}`] : []),
    ...(has('stopped', 'paused')
      ? [`Continue a plan: ${cmd`run --resume`} (after a pause: ${cmd`resume PLAN/`})`]
      : []),
    ...(has('working')
      ? [`Follow an agent: ${cmd`logs -f TASK`}; stop or pause it: ${cmd`stop TASK`}, ${cmd`pause TASK`}`]
      : []),
    ...(has('failed', 'blocked')
      ? [`See why: ${cmd`tasks show TASK`}; try again: ${cmd`tasks unblock TASK`}`]
      : []),
  ];
}
