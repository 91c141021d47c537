import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Entry } from './draft.ts';

/** A note beside an answer, out of the way until somebody wants it. */
export function Note({ entry, onChange }: { entry: Entry; onChange(entry: Entry): void }) {
  const id = useId();
  const open = useSignal(entry.note !== '');
  if (!open.value) {
    return (
      <button type="button" class="quiet add-note" onClick={() => (open.value = true)}>
        Add a note
      </button>
    );
  }
  return (
    <div class="field">
      <label for={id}>Note, kept with the answer</label>
      <textarea
        id={id}
        class="note"
        rows={1}
        value={entry.note}
        onInput={(event) => onChange({ ...entry, note: event.currentTarget.value })}
      />
    </div>
  );
}
