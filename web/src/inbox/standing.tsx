import type { Entry } from './draft.ts';

/** Lets the answer stand: the same question is not asked again. */
export function Standing({ entry, onChange }: { entry: Entry; onChange(entry: Entry): void }) {
  return (
    <label class="standing" title="The same question is then answered like this by itself, on record.">
      <input
        type="checkbox"
        data-key="a"
        checked={entry.standing}
        onChange={(event) => onChange({ ...entry, standing: event.currentTarget.checked })}
      />
      Answer it like this from now on <kbd>a</kbd>
    </label>
  );
}
