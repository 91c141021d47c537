import { useEffect, useId, useRef } from 'preact/hooks';
import { isDecisive } from '../../../src/schema/is-question.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';
import { visibleProse } from '../../../src/schema/visible.ts';
import { questionView } from '../../../src/text/question-view.ts';
import { RichText } from '../text/rich-text.tsx';
import { VerbatimBlock } from '../text/verbatim-block.tsx';
import { answerAsBefore } from './answering.ts';
import { canBeStanding, type Entry, fillBlank, write } from './draft.ts';
import { Note } from './note.tsx';
import { Options } from './options.tsx';
import { OwnWords } from './own-words.tsx';
import { Standing } from './standing.tsx';
import { fieldOf } from './wanted-focus.ts';

interface Props {
  notification: Notification;
  question: Question;
  entry: Entry;
  /** The keyboard answers this one. */
  active: boolean;
  onPick(label: string): void;
  onChange(entry: Entry): void;
  /** This question got the focus. */
  onActivate(): void;
}

/** A longer text would fill the page in large letters. */
const LONG_TEXT = 400;

/** A question with everything that helps to answer it. */
export function QuestionField({
  notification,
  question,
  entry,
  active,
  onPick,
  onChange,
  onActivate,
}: Props) {
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const wasActive = useRef(active);
  useEffect(() => {
    if (active && !wasActive.current) section.current?.scrollIntoView({ block: 'nearest' });
    wasActive.current = active;
  }, [active]);
  const view = questionView(notification, question);
  const hasOptions = (question.options ?? []).length > 0;
  return (
    <section
      ref={section}
      class={active ? 'question active' : 'question'}
      aria-labelledby={id}
      onFocusIn={onActivate}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a heading element may not hold the paragraphs of a text */}
      <div id={id} class="question-head" role="heading" aria-level={2}>
        {question.header && (
          <p class="question-header" dir="auto">
            {visibleProse(question.header)}
          </p>
        )}
        <RichText
          text={question.text}
          class={question.text.length > LONG_TEXT ? 'question-text long' : 'question-text'}
        />
      </div>
      {question.verbatim?.map((piece, index) => (
        <VerbatimBlock key={index} piece={piece} />
      ))}
      {question.context && !notification.gate?.material && <Context text={question.context} />}
      {view.earlier && (
        <p class="earlier" dir="auto">
          {visibleProse(view.earlier)}{' '}
          <button
            type="button"
            class="quiet"
            data-key="e"
            onClick={() => answerAsBefore(notification, question)}
          >
            Decide the same <kbd>e</kbd>
          </button>
        </p>
      )}
      {hasOptions && (
        <Options
          notification={notification}
          question={question}
          entry={entry}
          keys={active}
          onPick={onPick}
          onBlank={(label, text) => onChange(fillBlank(entry, label, text))}
        />
      )}
      {!isDecisive(notification, question) && (
        <OwnWords
          label={hasOptions ? 'Or in your own words' : 'Your answer'}
          describedBy={id}
          field={fieldOf(notification, question)}
          value={entry.text}
          onInput={(text) => onChange(write(entry, question, text))}
        />
      )}
      {entry.skipped && <p class="skipped">Skipped: the asker decides. Answer it to change that.</p>}
      {!notification.gate && (
        <div class="extras">
          <Note entry={entry} onChange={onChange} />
          {canBeStanding(notification) && <Standing entry={entry} onChange={onChange} />}
        </div>
      )}
    </section>
  );
}

const LONG_CONTEXT = 1500;

function Context({ text }: { text: string }) {
  if (text.length <= LONG_CONTEXT) return <RichText text={text} class="context" />;
  return (
    <details class="context-more">
      <summary>Context ({text.split('\n').length} lines)</summary>
      <RichText text={text} class="context" />
    </details>
  );
}
