import { useSignal } from '@preact/signals';
import { isDecisive } from '../../../src/schema/is-question.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';
import { entryOf, unsettled } from '../inbox/draft.ts';
import { OptionalField } from '../inbox/optional-field.tsx';
import { fieldOf, wantFocus } from '../inbox/wanted-focus.ts';
import { draftOf } from '../state/drafts.ts';
import { wordsAfter } from './words-after.ts';

/** Remarks on a decision. Hidden until somebody wants them, or the decision needs them. */
export function GateWords({
  notification,
  questions,
}: {
  notification: Notification;
  questions: readonly Question[];
}) {
  const opened = useSignal(false);
  const [first] = questions;
  if (!first) return null;
  const draft = draftOf(notification.id);
  const left = unsettled(notification);
  const picks = left.flatMap((question) => entryOf(draft, question).picks);
  const needed = picks.flatMap((pick) => wordsAfter(notification, pick) ?? []);
  const isShown =
    opened.value ||
    needed.length > 0 ||
    !left.some((question) => isDecisive(notification, question)) ||
    questions.some((question) => entryOf(draft, question).text !== '');
  if (!isShown) {
    return (
      <button
        type="button"
        class="quiet add-note"
        data-key="n"
        onClick={() => {
          opened.value = true;
          wantFocus(fieldOf(notification, first));
        }}
      >
        Add a comment <kbd>n</kbd>
      </button>
    );
  }
  return (
    <div class="gate-words">
      {[...needed, ...questions.filter((question) => !needed.includes(question))].map((question) => (
        <OptionalField
          key={question.id}
          notification={notification}
          question={question}
          needed={needed.includes(question)}
        />
      ))}
    </div>
  );
}
