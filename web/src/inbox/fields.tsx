import type { Notification } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';
import { draftOf } from '../state/drafts.ts';
import { changeEntry, pickOption, setActive } from './answering.ts';
import { entryOf } from './draft.ts';
import { QuestionField } from './question-field.tsx';

interface Props {
  notification: Notification;
  questions: readonly Question[];
  /** The question that the keyboard answers. */
  active: string | undefined;
}

export function Fields({ notification, questions, active }: Props) {
  const draft = draftOf(notification.id);
  return (
    <>
      {questions.map((question) => (
        <QuestionField
          key={question.id}
          notification={notification}
          question={question}
          entry={entryOf(draft, question)}
          active={active === question.id}
          onPick={(label) => pickOption(notification, question, label)}
          onChange={(entry) => changeEntry(notification, question, entry)}
          onActivate={() => setActive(notification, question)}
        />
      ))}
    </>
  );
}
