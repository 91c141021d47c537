import type { Notification } from '../../../src/schema/notification.ts';
import { proposalWords } from '../../../src/schema/proposal.ts';
import { accept, sending } from '../state/sending.ts';
import { duration } from '../text/words.ts';

/** What the agent proposes to do if nobody answers, and the button to accept it. */
export function Proposal({ notification }: { notification: Notification }) {
  const words = proposalWords(notification, (seconds) => duration(seconds * 1000));
  if (words === undefined) return null;
  return (
    <p class="proposal">
      <span dir="auto">{words}.</span>
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
