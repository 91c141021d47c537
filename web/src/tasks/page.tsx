import { useSignal } from '@preact/signals';
import type { ChatMessage } from '../../../src/schema/task.ts';
import { hub } from '../api/hub.ts';
import { Around } from '../board/dependencies.tsx';
import { showTasks } from '../board/task-state.ts';
import { open } from '../state/ledger.ts';
import { tasksOf, watchTasks } from '../state/tasks.ts';
import { useLive } from '../state/use-live.ts';
import { LoadedView } from '../ui/loaded-view.tsx';
import { answeredIn } from './answered.ts';
import { Composer } from './composer.tsx';
import { Head } from './head.tsx';
import { Message } from './message.tsx';
import { OpenQuestionsBlock, openOf } from './open-questions-block.tsx';
import { TaskWork } from './task-work.tsx';

/** A task's conversation: what was asked, what was answered, and what the agent said after it. */
export function TaskPage({ project, task }: { project: string; task: string }) {
  const looked = useSignal(0);
  const found = useLive(
    project,
    `${task} ${looked.value}`,
    async (id) => {
      const [{ work, ...found }, { chat, answered }] = await Promise.all([
        hub.task(id, task),
        conversation(id, task),
        // For its neighbours; if this fails, they are just not shown.
        watchTasks([id]),
      ]);
      return { task: found, work, chat, answered };
    },
    ['task.updated', 'run.event', 'notification.added', 'notification.updated', 'notification.resolved'],
  );
  // Our own messages, until they are read with the rest.
  const said = useSignal<readonly ChatMessage[]>([]);
  return (
    <main class="page task" id="main">
      <LoadedView value={found.value}>
        {({ task, work, chat, answered }) => (
          <>
            <Head task={task} waits={openOf(task).length > 0} />
            <TaskWork
              task={task}
              work={work}
              waits={openOf(task).length > 0}
              onChange={() => {
                looked.value += 1;
              }}
            />
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
              <p class="faint">No questions, answers or messages yet.</p>
            )}
            <OpenQuestionsBlock asked={openOf(task)} />
            <Composer
              task={task}
              onSaid={(message) => {
                said.value = [...said.value, message];
              }}
              onChange={() => {
                looked.value += 1;
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
