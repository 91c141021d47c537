import type { Notification } from '../../../src/schema/notification.ts';
import { hrefOf } from '../route.ts';
import { refusals } from '../state/sending.ts';
import { RichText } from '../text/rich-text.tsx';
import { VerbatimBlock } from '../text/verbatim-block.tsx';
import { responseText, who } from '../text/words.ts';
import { At } from '../ui/ago.tsx';
import { Amend } from './amend.tsx';

/** How a notification was settled: what was sent, by whom, and whether the asker has it. */
export function Receipt({ notification }: { notification: Notification }) {
  const { questions, responses, replaced = [], outcome, status } = notification;
  const { resolvedBy, resolvedAt, reason, deliveredAt } = notification;
  const refusal = refusals.value[notification.id];
  return (
    <div class="receipt">
      {refusal && (
        <p class="problem" role="alert">
          Your answer was not accepted: {refusal}
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
              {question.verbatim?.map((piece, index) => (
                <VerbatimBlock key={index} piece={piece} />
              ))}
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
              {replaced
                .filter(({ questionId }) => questionId === question.id)
                .map((old) => (
                  <p class="given-by" key={old.at} dir="auto">
                    Before: <s>{responseText(old)}</s> · {who(old.by)} · <At at={old.at} />
                  </p>
                ))}
              {response?.kind === 'answered' && response.standing && (
                <p class="given-by">
                  Fermata will give this answer to the same question from now on.{' '}
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
        {status !== 'recorded' && <span class="delivery">{delivery(status, deliveredAt)}</span>}
      </p>
      {(outcome === 'answered' || outcome === 'skipped' || outcome === 'declined') && (
        <Amend notification={notification} />
      )}
    </div>
  );
}

function delivery(status: Notification['status'], deliveredAt: string | undefined): string {
  if (status === 'delivered') return ' · Delivered to the asker.';
  return deliveredAt
    ? ' · The asker has the old answer and gets this one when it next checks.'
    : ' · Stored. The asker gets it when it next checks.';
}
