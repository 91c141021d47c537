import { useSignal } from '@preact/signals';
import type { Notification } from '../../../src/schema/notification.ts';
import type { ChatMessage, Task } from '../../../src/schema/task.ts';
import { hub } from '../api/hub.ts';
import { hrefOfNotification } from '../inbox/shown.ts';
import { hrefOf } from '../route.ts';
import { useAction } from '../state/use-action.ts';
import { useLive } from '../state/use-live.ts';
import { RichText } from '../text/rich-text.tsx';
import { said } from '../text/said.ts';
import { responseText } from '../text/words.ts';
import { At } from '../ui/ago.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { answeredIn } from './answered.ts';
import { OpenQuestionsBlock } from './open-questions-block.tsx';

/** A task's conversation: what was asked, what was answered, and what the agent said after it. */
export function TaskPage({ project, task }: { project: string; task: string }) {
  const found = useLive(
    project,
    task,
    async (id) => {
      const chat = await hub.chat(id, task);
      return { task: await hub.task(id, task), chat, answered: await answeredIn(id, chat) };
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
            {chat.length === 0 && said.value.length === 0 && (
              <p class="faint">Nothing has been said about it yet: no question, no answer, no word.</p>
            )}
            <OpenQuestionsBlock task={task} />
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

function Head({ task }: { task: Task }) {
  return (
    <>
      <p class="crumbs">
        <a href={hrefOf('board', task.projectId)}>Board</a> › {task.id}
      </p>
      <h1 dir="auto">{task.title}</h1>
      <p class="facts">
        <span class={`state ${task.status}`}>{task.status.replace('_', ' ')}</span>
        {task.blockReason && <span>{task.blockReason}</span>}
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

interface MessageProps {
  message: ChatMessage;
  /** What it answers, where it is an answer. */
  asked: Notification | undefined;
}

function Message({ message: { by, at, text }, asked }: MessageProps) {
  // An answer is kept as the question's text with what was said below it.
  const question = asked?.questions.find((each) => text.startsWith(`${each.text}\n`));
  const response = asked?.responses.find(({ questionId }) => questionId === question?.id);
  return (
    <li class={`message ${by.actor.kind}`}>
      <p class="message-by">
        <strong>{by.actor.name}</strong> <span>{response ? 'answered' : by.actor.kind}</span> <At at={at} />
      </p>
      {asked && question && response ? (
        <>
          <a class="message-question" dir="auto" href={hrefOfNotification(asked)}>
            {question.text}
          </a>
          <p class="message-answer" dir="auto">
            {responseText(response)}
          </p>
          {response.kind === 'answered' && response.note && <p dir="auto">{response.note}</p>}
        </>
      ) : (
        <RichText text={said(text)} />
      )}
    </li>
  );
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
