import type { Notification } from '../../../src/schema/notification.ts';
import { decisionProblem } from '../gates/decision-problem.ts';
import { GateForm } from '../gates/gate-form.tsx';
import { VariantsGate } from '../gates/variants.tsx';
import { now } from '../state/clock.ts';
import { draftOf } from '../state/drafts.ts';
import { refusals, sending, undoOf } from '../state/sending.ts';
import { responseText, silence, who } from '../text/words.ts';
import { activeQuestion, sendNow, skip } from './answering.ts';
import { Dismiss } from './dismiss.tsx';
import { entryOf, isOneKey, maySkip, responsesOf, unsettled } from './draft.ts';
import { Fields } from './fields.tsx';
import { HeldBar } from './held-bar.tsx';
import { Proposal } from './proposal.tsx';

/** Everything that a person needs to settle a notification. `keys`: the page's keys act on this one. */
export function AnswerForm({ notification, keys }: { notification: Notification; keys: boolean }) {
  const settled = notification.responses;
  const active = keys ? activeQuestion(notification) : undefined;
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
      onFocusIn={({ target }) => {
        if (target instanceof Element && target.matches('textarea, input')) undoOf(notification.id);
      }}
    >
      {settled.map((response) => (
        <p key={response.questionId} class="part-settled">
          <span>{notification.questions.find(({ id }) => id === response.questionId)?.text}</span>{' '}
          <strong>{responseText(response)}</strong> · {who(response.by)}
        </p>
      ))}
      <Parts notification={notification} active={active?.id} />
      <Actions notification={notification} />
    </form>
  );
}

function Parts({ notification, active }: { notification: Notification; active: string | undefined }) {
  const props = { notification, active };
  if (notification.gate?.kind === 'variants') return <VariantsGate {...props} />;
  if (notification.gate) return <GateForm {...props} />;
  return <Fields {...props} questions={unsettled(notification)} />;
}

function Actions({ notification }: { notification: Notification }) {
  const draft = draftOf(notification.id);
  const ready = responsesOf(notification, draft);
  const left = unsettled(notification);
  const all = left.length;
  const isBegun = ready.length > 0 || left.some((question) => entryOf(draft, question).picks.length > 0);
  const problem = decisionProblem(notification, draft);
  const refusal = refusals.value[notification.id];
  const busy = sending.value.has(notification.id);
  return (
    <div class="actions">
      <div class="action-state" role="status">
        {refusal && <p class="problem">{refusal}</p>}
        {problem && ready.length > 0 && <p class="missing">{problem}</p>}
      </div>
      <div class="action-row">
        {isOneKey(notification) && !isBegun ? (
          <span class="hint">Pick one. It is sent after three seconds.</span>
        ) : (
          <button
            type="submit"
            class="primary"
            disabled={ready.length === 0 || busy || problem !== undefined}
          >
            {busy ? 'Sending …' : sendLabel(ready.length, notification.gate ? 1 : all)} <kbd>Enter</kbd>
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
      <Proposal notification={notification} />
      <HeldBar notification={notification} />
    </div>
  );
}

function sendLabel(ready: number, all: number): string {
  if (all === 1) return 'Send';
  if (ready >= all) return `Send all ${all}`;
  return ready === 0 ? 'Send' : `Send ${ready} of ${all}, leave the rest open`;
}
