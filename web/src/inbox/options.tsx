import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { endsInBlank } from '../../../src/schema/blank.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Option, Question } from '../../../src/schema/question.ts';
import { RichText } from '../text/rich-text.tsx';
import type { Entry } from './draft.ts';
import { OwnWords } from './own-words.tsx';
import { fieldOf } from './wanted-focus.ts';

interface Props {
  notification: Notification;
  question: Question;
  entry: Entry;
  /** The number keys pick here. */
  keys: boolean;
  onPick(label: string): void;
  /** Something was written into the blank of a picked option. */
  onBlank(label: string, text: string): void;
}

/** The options as buttons, with what each means; a preview of the one that is looked at stands beside them. */
export function Options({ notification, question, entry, keys, onPick, onBlank }: Props) {
  const id = useId();
  const options = question.options ?? [];
  const looked = useSignal<string | undefined>(undefined);
  const recommended = [question.recommended ?? []].flat();
  const previews = options.filter(({ preview }) => preview !== undefined);
  const shown =
    options.find(({ label }) => label === (looked.value ?? entry.picks[0] ?? recommended[0])) ?? previews[0];
  return (
    <div class={previews.length > 0 ? 'options with-previews' : 'options'}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid everywhere */}
      <div role="group" aria-label="Options" class="option-list">
        {options.map((option, index) => {
          const picked = entry.picks.includes(option.label);
          return (
            <div key={option.label} class="option-place">
              <OptionButton
                id={`${id}${index}`}
                option={option}
                number={keys && index < 9 ? index + 1 : undefined}
                picked={picked}
                multi={question.multi === true}
                recommended={recommended.includes(option.label)}
                onPick={() => onPick(option.label)}
                onLook={() => {
                  looked.value = option.label;
                }}
              />
              {picked && endsInBlank(option.label) && (
                <OwnWords
                  label="What belongs there"
                  describedBy={`${id}${index}`}
                  field={fieldOf(notification, question, option.label)}
                  value={entry.blanks[option.label] ?? ''}
                  onInput={(text) => onBlank(option.label, text)}
                />
              )}
            </div>
          );
        })}
      </div>
      {previews.length > 0 && <Previews options={options} shown={shown} />}
    </div>
  );
}

/** All of them lie over each other, and one is seen: the place is as high as the highest, so that nothing moves. */
function Previews({ options, shown }: { options: readonly Option[]; shown: Option | undefined }) {
  return (
    <div class="previews">
      {options.map((option) => (
        <div key={option.label} class={option === shown ? 'preview' : 'preview behind'}>
          <p class="preview-title" dir="auto">
            {option.label}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
          <pre tabIndex={0}>{option.preview ?? <span class="faint">It has no preview.</span>}</pre>
        </div>
      ))}
    </div>
  );
}

/** In bold letters this would be a wall. */
const LONG_LABEL = 100;

interface ButtonProps {
  id: string;
  option: Option;
  number: number | undefined;
  picked: boolean;
  multi: boolean;
  recommended: boolean;
  onPick(): void;
  onLook(): void;
}

function OptionButton({ id, option, number, picked, multi, recommended, onPick, onLook }: ButtonProps) {
  return (
    <button
      id={id}
      type="button"
      class="option"
      dir="auto"
      aria-pressed={picked}
      onClick={onPick}
      onFocus={onLook}
      onMouseEnter={onLook}
    >
      <span class={multi ? 'mark box' : 'mark'} aria-hidden="true">
        {picked ? '✓' : number}
      </span>
      <span class="option-body">
        <span class={option.label.length > LONG_LABEL ? 'option-label long' : 'option-label'}>
          {option.label}
          {recommended && <span class="tag">recommended</span>}
        </span>
        {option.description && <RichText text={option.description} class="option-description" />}
      </span>
    </button>
  );
}
