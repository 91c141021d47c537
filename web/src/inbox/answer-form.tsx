import type { Notification } from '../../../src/schema/notification.ts';
import { decisionProblem } from '../gates/decision-problem.ts';
import { Materials } from '../gates/materials.tsx';
import { VariantsGate } from '../gates/variants.tsx';
import { now } from '../state/clock.ts';
import { draftOf } from '../state/drafts.ts';
import { refusals, sending } from '../state/sending.ts';
import { responseText, silence, who } from '../text/words.ts';
import { activeQuestion, sendNow, skip } from './answering.ts';
import { Dismiss } from './dismiss.tsx';
import { isOneKey, maySkip, responsesOf, unsettled } from './draft.ts';
import { Fields } from './fields.tsx';
import { HeldBar } from './held-bar.tsx';

/** Everything that a person needs to settle a notification. `keys`: the page's keys act on this one. */
export function AnswerForm({ notification, keys }: { notification: Notification; keys: boolean }) {
  const settled = notification.responses;
  const active = keys ? activeQuestion(notification) : undefined;
  const gate = notification.gate;
  return (
    <form
      class="answer-form"
      onSubmit={(event) => {
        event.preventDefault();
        sendNow(notification);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) sendNow(notification);
      }}
    >
      {settled.map((response) => (
        <p key={response.questionId} class="part-settled">
          <span>{notification.questions.find(({ id }) => id === response.questionId)?.text}</span>{' '}
          <strong>{responseText(response)}</strong> · {who(response.by)}
        </p>
      ))}
      {gate?.kind === 'variants' ? (
        <VariantsGate notification={notification} active={active?.id} />
      ) : (
        <>
          <Fields notification={notification} active={active?.id} />
          {gate?.material && <Materials material={gate.material} />}
        </>
      )}
      <Actions notification={notification} />
    </form>
  );
}

function Actions({ notification }: { notification: Notification }) {
  const draft = draftOf(notification.id);
  const ready = responsesOf(notification, draft);
  const all = unsettled(notification).length;
  const problem = decisionProblem(notification, draft);
  const refusal = refusals.value[notification.id];
  const busy = sending.value.has(notification.id);
  return (
    <div class="actions">
      <div class="action-state" role="status">
        {refusal && <p class="problem">{refusal}</p>}
        {problem && ready.length > 0 && <p class="problem">{problem}</p>}
      </div>
      <div class="action-row">
        {isOneKey(notification) && ready.length === 0 ? (
          <span class="hint">Pick one: it is sent after three seconds.</span>
        ) : (
          <button
            type="submit"
            class="primary"
            disabled={ready.length === 0 || busy || problem !== undefined}
          >
            {busy ? 'Sending …' : sendLabel(ready.length, all)} <kbd>Enter</kbd>
          </button>
        )}
        {maySkip(notification) && (
          <button type="button" onClick={() => skip(notification)} disabled={busy}>
            {all === 1 ? 'Skip' : 'Skip this one'} <kbd>s</kbd>
          </button>
        )}
        <Dismiss notification={notification} />
      </div>
      <p class="silence">{silence(notification, now.value)}</p>
      <HeldBar notification={notification} />
    </div>
  );
}

function sendLabel(ready: number, all: number): string {
  if (all === 1) return 'Send';
  if (ready >= all) return `Send all ${all}`;
  return ready === 0 ? 'Send' : `Send ${ready} of ${all}, leave the rest open`;
}
