import { useId } from 'preact/hooks';
import type { Question } from '../../../src/schema/question.ts';
import { type Entry, write } from './draft.ts';

interface Props {
  question: Question;
  entry: Entry;
  onChange(entry: Entry): void;
}

/** A question of a gate that may be left empty: one line and a field. */
export function OptionalField({ question, entry, onChange }: Props) {
  const id = useId();
  return (
    <div class="field optional">
      <label for={id}>
        {question.text} <span>optional</span>
      </label>
      <textarea
        id={id}
        rows={1}
        value={entry.text}
        onInput={(event) => onChange(write(entry, question, event.currentTarget.value))}
      />
    </div>
  );
}
