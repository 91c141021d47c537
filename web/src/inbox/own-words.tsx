import { useId } from 'preact/hooks';
import { useWantedFocus } from './wanted-focus.ts';

interface Props {
  label: string;
  describedBy: string;
  /** Its name for `wantFocus`. */
  field: string;
  value: string;
  onInput(text: string): void;
}

export function OwnWords({ label, describedBy, field, value, onInput }: Props) {
  const id = useId();
  const box = useWantedFocus<HTMLTextAreaElement>(field);
  return (
    <div class="field">
      <label for={id} dir="auto">
        {label}
      </label>
      <textarea
        id={id}
        ref={box}
        data-field={field}
        class="own-words"
        aria-describedby={describedBy}
        dir="auto"
        rows={1}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}
