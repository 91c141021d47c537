import { useId } from 'preact/hooks';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';
import { draftOf } from '../state/drafts.ts';
import { changeEntry } from './answering.ts';
import { entryOf, write } from './draft.ts';
import { fieldOf, useWantedFocus } from './wanted-focus.ts';

interface Props {
  notification: Notification;
  question: Question;
  label?: string;
  /** The decision makes little sense without it. */
  needed?: boolean;
}

/** An optional question of a gate: one line and a field. */
export function OptionalField({ notification, question, label = question.text, needed = false }: Props) {
  const id = useId();
  const field = fieldOf(notification, question);
  const box = useWantedFocus<HTMLTextAreaElement>(field);
  const entry = entryOf(draftOf(notification.id), question);
  return (
    <div class="field optional">
      <label for={id} dir="auto">
        {label} {!needed && <span>optional</span>}
      </label>
      <textarea
        id={id}
        ref={box}
        data-field={field}
        dir="auto"
        rows={1}
        value={entry.text}
        onInput={(event) =>
          changeEntry(notification, question, write(entry, question, event.currentTarget.value))
        }
      />
    </div>
  );
}
