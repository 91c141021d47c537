import type { ChatMessage, Task } from '../../schema/task.ts';
import { visible } from '../../schema/visible.ts';
import type { GateCommand } from '../phases/run-gates.ts';
import { briefSections, section } from './brief-sections.ts';
import type { AgentBrief } from './next-move.ts';

/** Everything that an agent gets for a task without a plan. */
export interface TaskPrompt extends AgentBrief {
  task: Pick<Task, 'id' | 'title' | 'body'>;
  /** The task's chat, oldest first. */
  chat: readonly ChatMessage[];
  /** The branch of its worktree, and the one it is merged into. */
  branch: string;
  into: string;
  checks: readonly GateCommand[];
  /** What was decided about it; may be empty. */
  decided: string;
}

/** In characters; of a longer conversation, only the end is used. */
const CHAT_ROOM = 20_000;

/** The part of an agent's prompt about this task. */
export function taskPrompt({ task, chat, branch, into, checks, decided, ...brief }: TaskPrompt): string {
  const commands = checks.map(({ command }) => `- ${command}`).join('\n');
  return [
    `Your task is ${task.id}: ${oneLine(task.title)}.`,
    `You are in its worktree, on branch ${branch}. Work only here, and commit your work. Do not merge, push or close the task: Fermata checks your work and merges it into ${into}.`,
    ...briefSections('task', brief),
    section('The task', task.body.trim() || task.title),
    ...(chat.length > 0 ? [section('What was said about it', chatText(chat))] : []),
    ...(decided ? [decided] : []),
    section(
      'The checks',
      commands ? `Fermata runs these commands. All must succeed:\n${commands}` : 'This project has none.',
    ),
  ].join('\n\n');
}

function chatText(chat: readonly ChatMessage[]): string {
  const said = chat.map(({ by, at, text }) => `${by.actor.kind} ${by.actor.name}, ${at}:\n${text.trim()}`);
  const kept: string[] = [];
  let left = CHAT_ROOM;
  for (const message of said.toReversed()) {
    left -= message.length;
    if (left < 0) break;
    kept.unshift(message);
  }
  const note =
    kept.length < said.length ? [`(${said.length - kept.length} earlier or longer messages left out)`] : [];
  return [...note, ...kept].join('\n\n');
}

const oneLine = (text: string) => visible(text).replace(/\s+/g, ' ').trim();
