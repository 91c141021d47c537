import { useEffect, useRef } from 'preact/hooks';
import type { GateMaterial } from '../../../src/schema/gate.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';
import { changeEntry, pickOption, setActive } from '../inbox/answering.ts';
import { entryOf, isOptional, required, unsettled } from '../inbox/draft.ts';
import { Note } from '../inbox/note.tsx';
import { draftOf } from '../state/drafts.ts';
import { titleOf } from '../text/words.ts';
import { GateWords } from './gate-words.tsx';
import { Materials } from './materials.tsx';

/** The rows of the comparison: whether it passed, what it is, how it is done. */
const ROWS: readonly (readonly GateMaterial['kind'][])[] = [['gates'], ['walkthrough', 'text'], ['diff']];

interface Props {
  notification: Notification;
  /** The variant that the keyboard decides about. */
  active: string | undefined;
}

/** Variants next to each other: gate results, what each did, and the decision. */
export function VariantsGate({ notification, active }: Props) {
  const left = unsettled(notification);
  const material = notification.gate?.material ?? [];
  const variants = required(notification);
  return (
    <>
      <h2 class="question-text">{titleOf(notification)}</h2>
      <p class="context">
        Fermata merges one variant, keeps alternatives without merging them, and archives discarded ones.
      </p>
      <GateWords
        notification={notification}
        questions={left.filter((question) => isOptional(notification, question))}
      />
      <div class="variants" style={{ '--variants': variants.length }}>
        {variants.map((question) => (
          <Variant
            key={question.id}
            notification={notification}
            question={question}
            isActive={active === question.id}
            material={material.filter(({ variant }) => variant === question.id)}
          />
        ))}
      </div>
      <Materials material={material.filter(({ variant }) => variant === undefined)} />
    </>
  );
}

interface VariantProps {
  notification: Notification;
  question: Question;
  isActive: boolean;
  material: readonly GateMaterial[];
}

function Variant({ notification, question, isActive, material }: VariantProps) {
  const entry = entryOf(draftOf(notification.id), question);
  const [pick = ''] = entry.picks;
  const column = useRef<HTMLElement>(null);
  useEffect(() => {
    // If there is no room for all, scrolls to the active one, sideways only, so that the question stays in view.
    const { current } = column;
    const row = current?.parentElement;
    if (isActive && row) row.scrollLeft = current.offsetLeft - row.offsetLeft;
  }, [isActive]);
  return (
    <section
      ref={column}
      class={`variant ${isActive ? 'active' : ''} ${pick}`}
      aria-label={`Variant ${question.id}`}
      onFocusIn={() => setActive(notification, question)}
    >
      <header class="variant-head">
        <h3 class="letter">{question.id}</h3>
        {/* biome-ignore lint/a11y/useSemanticElements: these are buttons, not radio inputs */}
        <div class="segments" role="group" aria-label={`Decision on ${question.id}`}>
          {(question.options ?? []).map(({ label, description }, index) => (
            <button
              key={label}
              type="button"
              aria-pressed={pick === label}
              title={description}
              onClick={() => pickOption(notification, question, label)}
            >
              {isActive && <span class="digit">{index + 1}</span>} {label}
            </button>
          ))}
        </div>
      </header>
      <Note entry={entry} onChange={(next) => changeEntry(notification, question, next)} />
      {ROWS.map((kinds) => (
        <div key={kinds[0]} class="variant-row">
          <Materials material={material.filter(({ kind }) => kinds.includes(kind))} />
        </div>
      ))}
    </section>
  );
}
