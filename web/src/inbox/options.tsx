import { useSignal } from '@preact/signals';
import type { Option, Question } from '../../../src/schema/question.ts';
import { RichText } from '../text/rich-text.tsx';
import type { Entry } from './draft.ts';

interface Props {
  question: Question;
  entry: Entry;
  /** The number keys pick here. */
  keys: boolean;
  onPick(label: string): void;
}

/** The options as buttons, with what each means; a preview of the one that is looked at stands beside them. */
export function Options({ question, entry, keys, onPick }: Props) {
  const options = question.options ?? [];
  const looked = useSignal<string | undefined>(undefined);
  const recommended = [question.recommended ?? []].flat();
  const previews = options.some(({ preview }) => preview !== undefined);
  const shown =
    options.find(({ label }) => label === (looked.value ?? entry.picks[0] ?? recommended[0])) ?? options[0];
  return (
    <div class={previews ? 'options with-previews' : 'options'}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid everywhere */}
      <div role="group" aria-label="Options" class="option-list">
        {options.map((option, index) => (
          <OptionButton
            key={option.label}
            option={option}
            number={keys && index < 9 ? index + 1 : undefined}
            picked={entry.picks.includes(option.label)}
            multi={question.multi === true}
            recommended={recommended.includes(option.label)}
            onPick={() => onPick(option.label)}
            onLook={() => {
              looked.value = option.label;
            }}
          />
        ))}
      </div>
      {previews && (
        <div class="preview">
          <p class="preview-title">{shown?.label}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
          <pre tabIndex={0}>{shown?.preview ?? 'No preview.'}</pre>
        </div>
      )}
    </div>
  );
}

interface ButtonProps {
  option: Option;
  number: number | undefined;
  picked: boolean;
  multi: boolean;
  recommended: boolean;
  onPick(): void;
  onLook(): void;
}

function OptionButton({ option, number, picked, multi, recommended, onPick, onLook }: ButtonProps) {
  return (
    <button
      type="button"
      class="option"
      aria-pressed={picked}
      onClick={onPick}
      onFocus={onLook}
      onMouseEnter={onLook}
    >
      <span class={multi ? 'mark box' : 'mark'} aria-hidden="true">
        {picked ? '✓' : number}
      </span>
      <span class="option-body">
        <span class="option-label">
          {option.label}
          {recommended && <span class="tag">recommended</span>}
        </span>
        {option.description && <RichText text={option.description} class="option-description" />}
      </span>
    </button>
  );
}
