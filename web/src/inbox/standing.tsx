import type { Entry } from './draft.ts';

/** Makes it a standing decision: the same question is not asked again. */
export function Standing({ entry, onChange }: { entry: Entry; onChange(entry: Entry): void }) {
  return (
    <label class="standing" title="Fermata will give this answer to the same question, and record it.">
      <input
        type="checkbox"
        data-key="a"
        checked={entry.standing}
        onChange={(event) => onChange({ ...entry, standing: event.currentTarget.checked })}
      />
      Always answer this way <kbd>a</kbd>
    </label>
  );
}
