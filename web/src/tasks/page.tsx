import { useSignal } from '@preact/signals';
import { OPEN_QUESTION } from '../../../src/schema/block-reason.ts';
import type { ChatMessage, Task } from '../../../src/schema/task.ts';
import { hub } from '../api/hub.ts';
import { Around } from '../board/dependencies.tsx';
import { showTasks } from '../board/task-state.ts';
import { hrefOf } from '../route.ts';
import { open } from '../state/ledger.ts';
import { tasksOf, watchTasks } from '../state/tasks.ts';
import { useAction } from '../state/use-action.ts';
import { useLive } from '../state/use-live.ts';
import { RichText } from '../text/rich-text.tsx';
import { Crumbs } from '../ui/crumbs.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { answeredIn } from './answered.ts';
import { Message } from './message.tsx';
import { OpenQuestionsBlock, openOf } from './open-questions-block.tsx';

/** A task's conversation: what was asked, what was answered, and what the agent said after it. */
export function TaskPage({ project, task }: { project: string; task: string }) {
  const found = useLive(
    project,
    task,
    async (id) => {
      const [found, { chat, answered }] = await Promise.all([
        hub.task(id, task),
        conversation(id, task),
        // For what is around it; without them it is only not shown.
        watchTasks([id]),
      ]);
      return { task: found, chat, answered };
    },
    ['task.updated', 'run.event', 'notification.added', 'notification.updated', 'notification.resolved'],
  );
  // What we said ourselves, until it is read with the rest.
  const said = useSignal<readonly ChatMessage[]>([]);
  return (
    <main class="page task" id="main">
      <LoadedView value={found.value}>
        {({ task, chat, answered }) => (
          <>
            <Head task={task} />
            <Around task={task.id} shown={shownTasks(task.projectId)} />
            <ol class="chat" aria-label="Conversation">
              {[...chat, ...said.value.filter(({ id }) => !chat.some((read) => read.id === id))].map(
                (message) => (
                  <Message
                    key={message.id}
                    message={message}
                    asked={answered.get(message.notificationId ?? '')}
                  />
                ),
              )}
            </ol>
            {chat.length === 0 && said.value.length === 0 && openOf(task).length === 0 && (
              <p class="faint">Nothing has been said about it yet: no question, no answer, no word.</p>
            )}
            <OpenQuestionsBlock asked={openOf(task)} />
            <Composer
              task={task}
              onSaid={(message) => {
                said.value = [...said.value, message];
              }}
            />
          </>
        )}
      </LoadedView>
    </main>
  );
}

async function conversation(projectId: string, task: string) {
  const chat = await hub.chat(projectId, task);
  return { chat, answered: await answeredIn(projectId, chat) };
}

const shownTasks = (project: string) =>
  showTasks(
    tasksOf(project),
    open.value.filter(({ projectId }) => projectId === project),
  );

function Head({ task }: { task: Task }) {
  return (
    <>
      <Crumbs project={task.projectId} page="board" title="Board" id={task.id} />
      <h1 dir="auto">{task.title}</h1>
      <p class="facts">
        <span class={`state ${task.status}`}>{standing(task)}</span>
        {task.assignee && <span>{task.assignee}</span>}
        <span>priority {task.priority}</span>
        {task.dependsOn.map((id) => (
          <span key={id}>
            after <a href={hrefOf('task', task.projectId, id)}>{id}</a>
          </span>
        ))}
      </p>
      {task.body && <RichText text={task.body} class="task-body" />}
    </>
  );
}

/** How it stands, for people. */
function standing({ status, blockReason }: Task): string {
  if (blockReason === OPEN_QUESTION) return 'waits for you';
  return blockReason === null ? status.replace('_', ' ') : `${status}: ${blockReason}`;
}

function Composer({ task, onSaid }: { task: Task; onSaid(message: ChatMessage): void }) {
  const text = useSignal('');
  const { problem, run } = useAction();
  const say = async () => {
    if (text.value.trim() === '') return;
    onSaid(await hub.say(task.projectId, task.id, text.value.trim()));
    text.value = '';
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void run(say);
      }}
    >
      <label for="composer">Tell the agent something</label>
      <textarea
        id="composer"
        dir="auto"
        rows={2}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void run(say);
        }}
      />
      <button type="submit" disabled={text.value.trim() === ''}>
        Send
      </button>
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </form>
  );
}
