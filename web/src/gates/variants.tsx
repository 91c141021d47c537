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

/** One above the other in each column, and each beside its like: did it pass, what is it, how is it done. */
const ROWS: readonly (readonly GateMaterial['kind'][])[] = [['gates'], ['walkthrough', 'text'], ['diff']];

interface Props {
  notification: Notification;
  /** The one that the keyboard decides about. */
  active: string | undefined;
}

/** Variants side by side: how the gates of each went, what it did, and what becomes of it. */
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
    // Where there is no room for all, the one that the keys are for is seen. Sideways only: the question stays.
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
