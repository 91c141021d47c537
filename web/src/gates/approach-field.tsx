import { useSignal } from '@preact/signals';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';
import { changeEntry } from '../inbox/answering.ts';
import { type Entry, entryOf } from '../inbox/draft.ts';
import { OptionalField } from '../inbox/optional-field.tsx';
import { fieldOf, wantFocus } from '../inbox/wanted-focus.ts';
import { draftOf } from '../state/drafts.ts';
import { RichText } from '../text/rich-text.tsx';

/** The word that rejects an approach. */
const REJECT = 'reject';

const VERDICTS = ['Accept', 'Change', 'Reject'] as const;
type Verdict = (typeof VERDICTS)[number];

/** One approach of a findings review, and the decision about it. */
export function ApproachField({
  notification,
  question,
  text,
}: {
  notification: Notification;
  question: Question;
  text: string;
}) {
  const entry = entryOf(draftOf(notification.id), question);
  const changing = useSignal(false);
  const verdict = verdictOf(entry, changing.value);
  const choose = (chosen: Verdict) => {
    changing.value = chosen === 'Change';
    const skipped = chosen === 'Accept';
    changeEntry(notification, question, { ...entry, skipped, text: chosen === 'Reject' ? REJECT : '' });
    if (chosen === 'Change') wantFocus(fieldOf(notification, question));
  };
  return (
    <section class={`approach ${(verdict ?? 'open').toLowerCase()}`} aria-label={question.id}>
      <div class="approach-head">
        <h3>{question.id}</h3>
        {/* biome-ignore lint/a11y/useSemanticElements: these are buttons, not radio inputs */}
        <div class="segments" role="group" aria-label={`Decision on ${question.id}`}>
          {VERDICTS.map((each) => (
            <button key={each} type="button" aria-pressed={each === verdict} onClick={() => choose(each)}>
              {each}
            </button>
          ))}
        </div>
      </div>
      <RichText text={text} />
      {verdict === 'Change' && (
        <OptionalField
          notification={notification}
          question={question}
          label="What needs to change in this approach?"
          needed
        />
      )}
    </section>
  );
}

/** Undefined until the person has decided. */
function verdictOf({ text, skipped }: Entry, changing: boolean): Verdict | undefined {
  if (text.trim().toLowerCase() === REJECT) return 'Reject';
  if (changing || text.trim() !== '') return 'Change';
  return skipped ? 'Accept' : undefined;
}
