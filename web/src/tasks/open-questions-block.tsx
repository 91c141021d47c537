import type { Notification } from '../../../src/schema/notification.ts';
import type { Task } from '../../../src/schema/task.ts';
import { waitsFor } from '../../../src/schema/task-state.ts';
import { AnswerForm } from '../inbox/answer-form.tsx';
import { hrefOfNotification } from '../inbox/shown.ts';
import { open } from '../state/ledger.ts';
import { Ago } from '../ui/ago.tsx';

/** The open questions of a task. */
export const openOf = ({ id, projectId }: Task): Notification[] =>
  open.value.filter((asked) => asked.projectId === projectId && waitsFor(id, asked));

/** The open questions of a task, in its conversation, each with a field for the answer. */
export function OpenQuestionsBlock({ asked }: { asked: readonly Notification[] }) {
  if (asked.length === 0) return null;
  return (
    <section class="open-questions" aria-label="Open questions">
      <h2>{asked.length === 1 ? 'Waiting for you' : `Waiting for you: ${asked.length} requests`}</h2>
      {asked.map((notification) => (
        <article key={notification.id} class="open-question">
          <p class="facts">
            <span>
              waiting <Ago at={notification.createdAt} />
            </span>
            <a href={hrefOfNotification(notification)}>in the inbox</a>
          </p>
          <AnswerForm notification={notification} keys={false} />
        </article>
      ))}
    </section>
  );
}
