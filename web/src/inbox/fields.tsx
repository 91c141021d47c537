import type { Notification } from '../../../src/schema/notification.ts';
import { draftOf, setEntry } from '../state/drafts.ts';
import { holdPick, setActive } from './answering.ts';
import { entryOf, isOneKey, isOptional, unsettled } from './draft.ts';
import { OptionalField } from './optional-field.tsx';
import { QuestionField } from './question-field.tsx';

/** The questions that are still open, each with its field; `active` is the one that the keyboard answers. */
export function Fields({ notification, active }: { notification: Notification; active: string | undefined }) {
  const draft = draftOf(notification.id);
  const oneKey = isOneKey(notification);
  return (
    <>
      {unsettled(notification).map((question) => {
        const common = {
          question,
          entry: entryOf(draft, question),
          onChange: (entry: ReturnType<typeof entryOf>) => setEntry(notification.id, question.id, entry),
        };
        if (isOptional(notification, question)) return <OptionalField key={question.id} {...common} />;
        return (
          <QuestionField
            key={question.id}
            {...common}
            notification={notification}
            active={active === question.id}
            onActivate={() => setActive(notification, question)}
            {...(oneKey ? { onDone: (entry) => holdPick(notification, question, entry) } : {})}
          />
        );
      })}
    </>
  );
}
