import { visibleProse } from '../../../src/schema/visible.ts';
import type { OptionView } from '../../../src/text/question-view.ts';
import { RichText } from '../text/rich-text.tsx';

/** A longer label would be unreadable in bold. */
const LONG_LABEL = 100;

interface Props {
  id: string;
  option: OptionView;
  number: number | undefined;
  picked: boolean;
  multi: boolean;
  onPick(): void;
  onLook(): void;
}

/** An option with its meaning; `number` is its key. */
export function OptionButton({ id, option, number, picked, multi, onPick, onLook }: Props) {
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
          {visibleProse(option.label)} {option.mark && <span class="tag">{option.mark}</span>}
        </span>
        {option.description && <RichText text={option.description} class="option-description" />}
      </span>
    </button>
  );
}
