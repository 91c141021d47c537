import type { Notification } from '../../../src/schema/notification.ts';
import { visibleProse } from '../../../src/schema/visible.ts';
import { viewOf } from '../../../src/text/question-view.ts';
import { accept, sending } from '../state/sending.ts';
import { clock } from '../text/words.ts';

/** What the agent proposes to do if nobody answers, and the button to accept it. */
export function Proposal({ notification }: { notification: Notification }) {
  const { proposal } = viewOf(notification, clock());
  if (proposal === undefined) return null;
  return (
    <p class="proposal">
      <span dir="auto">{visibleProse(proposal)}</span>
      <button
        type="button"
        data-key="p"
        disabled={sending.value.has(notification.id)}
        onClick={() => void accept(notification)}
      >
        Accept <kbd>p</kbd>
      </button>
    </p>
  );
}
