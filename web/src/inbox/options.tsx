import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { endsInBlank } from '../../../src/schema/blank.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';
import { questionView } from '../../../src/text/question-view.ts';
import type { Entry } from './draft.ts';
import { OptionButton } from './option-button.tsx';
import { OwnWords } from './own-words.tsx';
import { Previews } from './previews.tsx';
import { fieldOf } from './wanted-focus.ts';

interface Props {
  notification: Notification;
  question: Question;
  entry: Entry;
  /** The number keys pick here. */
  keys: boolean;
  onPick(label: string): void;
  /** The blank of a picked option was filled in. */
  onBlank(label: string, text: string): void;
}

/** The options as buttons, with their meaning; a preview of the focused one is shown next to them. */
export function Options({ notification, question, entry, keys, onPick, onBlank }: Props) {
  const id = useId();
  const { options } = questionView(notification, question);
  const looked = useSignal<string | undefined>(undefined);
  const marked = options.find(({ mark }) => mark !== undefined)?.label;
  const previews = options.filter(({ preview }) => preview !== undefined);
  const shown =
    options.find(({ label }) => label === (looked.value ?? entry.picks[0] ?? marked)) ?? previews[0];
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
                onPick={() => onPick(option.label)}
                onLook={() => {
                  looked.value = option.label;
                }}
              />
              {picked && endsInBlank(option.label) && (
                <OwnWords
                  label="Fill in the blank"
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
