import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Notification } from '../../../src/schema/notification.ts';
import { send } from '../state/sending.ts';

/** Refuses a question, with a reason. */
export function Dismiss({ notification }: { notification: Notification }) {
  const id = useId();
  const open = useSignal(false);
  const reason = useSignal('');
  const dismiss = () => {
    if (reason.value.trim() !== '') void send(notification, { dismissed: true, reason: reason.value.trim() });
  };
  if (!open.value) {
    return (
      <button type="button" class="quiet" data-key="x" onClick={() => (open.value = true)}>
        Dismiss … <kbd>x</kbd>
      </button>
    );
  }
  return (
    <span class="dismiss">
      <label for={id}>Why are you dismissing it?</label>
      <input
        id={id}
        type="text"
        dir="auto"
        ref={focus}
        value={reason.value}
        onInput={(event) => (reason.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') open.value = false;
          if (event.key !== 'Enter') return;
          // It would submit the form, which answers.
          event.preventDefault();
          dismiss();
        }}
      />
      <button type="button" disabled={reason.value.trim() === ''} onClick={dismiss}>
        Dismiss <kbd>Enter</kbd>
      </button>
    </span>
  );
}

/** Defined once: a new function at each render would be called again and steal the focus. */
const focus = (input: HTMLInputElement | null) => input?.focus();
