import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Entry } from './draft.ts';

/** A note on an answer, hidden until somebody wants it. */
export function Note({ entry, onChange }: { entry: Entry; onChange(entry: Entry): void }) {
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const opened = useSignal(false);
  useLayoutEffect(() => {
    if (opened.value) box.current?.focus();
  }, [opened.value]);
  if (!opened.value && entry.note === '') {
    return (
      <button type="button" class="quiet add-note" data-key="n" onClick={() => (opened.value = true)}>
        Add a note <kbd>n</kbd>
      </button>
    );
  }
  return (
    <div class="field">
      <label for={id}>Note, kept with the answer</label>
      <textarea
        id={id}
        ref={box}
        class="note"
        dir="auto"
        rows={1}
        value={entry.note}
        onInput={(event) => onChange({ ...entry, note: event.currentTarget.value })}
      />
    </div>
  );
}
