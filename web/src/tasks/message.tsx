import type { Notification, Response } from '../../../src/schema/notification.ts';
import { questionTitle } from '../../../src/schema/question-title.ts';
import type { ChatMessage } from '../../../src/schema/task.ts';
import { hrefOfNotification } from '../inbox/shown.ts';
import { RichText } from '../text/rich-text.tsx';
import { said } from '../text/said.ts';
import { responseText } from '../text/words.ts';
import { At } from '../ui/ago.tsx';

interface Props {
  message: ChatMessage;
  /** The question, if the message is an answer. */
  asked: Notification | undefined;
}

/** A message about a task; an answer is shown below its question. */
export function Message({ message: { by, at, text, delivery }, asked }: Props) {
  // An answer is stored as the question's text with the answer below it.
  const question = asked?.questions.find((each) => text.startsWith(`${questionTitle(each)}\n`));
  const versions = [...(asked?.replaced ?? []), ...(asked?.responses ?? [])];
  const own = versions.filter(({ questionId }) => questionId === question?.id);
  const response = own.find((each) => each.at === at) ?? own.at(-1);
  return (
    <li class={`message ${by.actor.kind}`}>
      <p class="message-by">
        {by.actor.kind === 'agent' && 'agent '}
        <strong>{by.actor.name}</strong> {verbFor(response)} <At at={at} />
        {delivery && (
          <>
            {' · '}
            <span class="delivery" title={deliveries[delivery]}>
              {delivery}
            </span>
          </>
        )}
      </p>
      {asked && question && response ? (
        <>
          <a class="message-question" dir="auto" href={hrefOfNotification(asked)}>
            {questionTitle(question)}
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

const deliveries: Record<NonNullable<ChatMessage['delivery']>, string> = {
  queued: 'No agent has it yet',
  delivered: 'The agent has it',
  read: 'The agent has read it',
};

function verbFor(response: Response | undefined): string {
  if (!response) return 'said';
  return response.version === undefined ? 'answered' : 'changed the answer';
}
