import type { Notification } from '../../../src/schema/notification.ts';
import { hrefOf } from '../route.ts';
import { refusals } from '../state/sending.ts';
import { RichText } from '../text/rich-text.tsx';
import { responseText, who } from '../text/words.ts';
import { At } from '../ui/ago.tsx';

/** How a notification ended: what was sent, by whom, and whether the asker has it. */
export function Receipt({ notification }: { notification: Notification }) {
  const { questions, responses, outcome, status, resolvedBy, resolvedAt, reason, deliveredAt } = notification;
  const refusal = refusals.value[notification.id];
  return (
    <div class="receipt">
      {refusal && (
        <p class="problem" role="alert">
          Your answer was not taken: {refusal}
        </p>
      )}
      <ol class="receipt-list">
        {questions.map((question) => {
          const response = responses.find(({ questionId }) => questionId === question.id);
          return (
            <li key={question.id}>
              {/* biome-ignore lint/a11y/useSemanticElements: a heading element may not hold the paragraphs of a text */}
              <div role="heading" aria-level={2}>
                <RichText text={question.text} class="question-text" />
              </div>
              <p class="given" dir="auto">
                {response ? responseText(response) : 'Not answered'}
              </p>
              {response?.kind === 'answered' && response.note && (
                <p class="given-note" dir="auto">
                  {response.note}
                </p>
              )}
              {response && (
                <p class="given-by">
                  {who(response.by)} · <At at={response.at} />
                </p>
              )}
              {response?.kind === 'answered' && response.standing && (
                <p class="given-by">
                  It stands: from now on the same question is answered like this.{' '}
                  <a href={hrefOf('settings', notification.projectId)}>Change that in the settings</a>
                </p>
              )}
            </li>
          );
        })}
      </ol>
      <p class="receipt-end" role="status">
        <strong class="outcome">{outcome ?? status}</strong>
        {resolvedBy && responses.length === 0 && ` by ${who(resolvedBy)}`}{' '}
        {resolvedAt && <At at={resolvedAt} />}
        {reason && `: ${reason}`}
        {status !== 'recorded' && (
          <span class="delivery">
            {deliveredAt ? ' · The asker has it.' : ' · Stored; the asker gets it when it looks.'}
          </span>
        )}
      </p>
    </div>
  );
}
