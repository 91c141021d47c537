import { useEffect, useRef } from 'preact/hooks';
import { helpOpen } from '../inbox/keys.ts';

const KEYS = [
  ['j, k', 'next question, previous question'],
  ['/', 'filter the list; Enter opens the first match'],
  ['1 … 9', 'pick an option; if nothing else is asked, it is sent after three seconds'],
  ['Esc', 'undo an answer before it is sent; leave a field'],
  ['Enter', 'go to the next field, then send, then go to the next question'],
  ['Ctrl Enter', 'send from a text field'],
  ['s', 'skip: the asker decides'],
  ['e', 'decide as before, if the same was asked earlier'],
  ['n', 'add a note to the answer'],
  ['a', 'always answer this way'],
  ['p', "accept the agent's proposal, which applies if nobody answers"],
  ['x', 'dismiss with a reason'],
  ['?', 'this list'],
] as const;

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (helpOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [helpOpen.value]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={() => (helpOpen.value = false)}>
      <h2 id="help-title">Keyboard shortcuts</h2>
      <dl>
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p>
        Once an answer is sent, the agent continues with it. You can replace an answer later, but not undo
        what the agent did with it.
      </p>
      <form method="dialog">
        <button type="submit" class="primary">
          Close
        </button>
      </form>
    </dialog>
  );
}
