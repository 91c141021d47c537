import { useEffect } from 'preact/hooks';
import type { Notification } from '../../../src/schema/notification.ts';
import { HOLD_MS, held, release, releaseOf, undo } from '../state/sending.ts';

/** What is about to be sent, while it can still be undone. Keeps its space when empty. */
export function HeldBar({ notification }: { notification: Notification }) {
  // A person who leaves the question is done with it.
  useEffect(() => () => releaseOf(notification.id), [notification.id]);
  const waiting = held.value?.notification.id === notification.id ? held.value : undefined;
  return (
    <div class="held" role="status">
      {waiting && (
        <div class="held-box">
          <p>
            Sending <strong>{waiting.label}</strong>
          </p>
          <button type="button" onClick={undo}>
            Undo <kbd>Esc</kbd>
          </button>
          <button type="button" class="quiet" onClick={() => release()}>
            Send now <kbd>Enter</kbd>
          </button>
          <span class="held-time" key={waiting.until} style={{ animationDuration: `${HOLD_MS}ms` }} />
        </div>
      )}
    </div>
  );
}
