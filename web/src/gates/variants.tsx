import type { Notification } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';
import { entryOf, pick, unsettled } from '../inbox/draft.ts';
import { Note } from '../inbox/note.tsx';
import { OptionalField } from '../inbox/optional-field.tsx';
import { draftOf, setEntry } from '../state/drafts.ts';
import { RichText } from '../text/rich-text.tsx';
import { titleOf } from '../text/words.ts';
import { Materials } from './materials.tsx';

/** Variants side by side: what each did, how its gates went, and what becomes of it. */
export function VariantsGate({
  notification,
  active,
}: {
  notification: Notification;
  active: string | undefined;
}) {
  const left = unsettled(notification);
  const draft = draftOf(notification.id);
  const material = notification.gate?.material ?? [];
  const isVariant = ({ options }: Question) => (options ?? []).length > 0;
  return (
    <>
      <h2 class="question-text">{titleOf(notification)}</h2>
      <p class="context">
        One of them is merged. An alternative is kept and not merged; a discarded one goes to the archive.
      </p>
      <div class="variants">
        {left.filter(isVariant).map((question) => (
          <section
            key={question.id}
            class={active === question.id ? 'variant active' : 'variant'}
            aria-label={`Variant ${question.id}`}
          >
            <div class="variant-head">
              <h3 class="letter">{question.id}</h3>
              <RichText text={question.text} />
            </div>
            {/* biome-ignore lint/a11y/useSemanticElements: these are buttons, not radio inputs */}
            <div class="segments" role="group" aria-label={`What becomes of ${question.id}`}>
              {(question.options ?? []).map(({ label, description }, index) => (
                <button
                  key={label}
                  type="button"
                  aria-pressed={entryOf(draft, question).picks.includes(label)}
                  title={description}
                  onClick={() =>
                    setEntry(notification.id, question.id, pick(entryOf(draft, question), question, label))
                  }
                >
                  {active === question.id && <span class="digit">{index + 1}</span>} {label}
                </button>
              ))}
            </div>
            <Note
              entry={entryOf(draft, question)}
              onChange={(entry) => setEntry(notification.id, question.id, entry)}
            />
            <Materials material={material.filter(({ variant }) => variant === question.id)} />
          </section>
        ))}
      </div>
      <Materials material={material.filter(({ variant }) => variant === undefined)} />
      {left
        .filter((question) => !isVariant(question))
        .map((question) => (
          <OptionalField
            key={question.id}
            question={question}
            entry={entryOf(draft, question)}
            onChange={(entry) => setEntry(notification.id, question.id, entry)}
          />
        ))}
    </>
  );
}
