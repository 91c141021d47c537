import { useEffect, useRef } from 'preact/hooks';
import { helpOpen } from '../inbox/keys.ts';

const KEYS = [
  ['j, k', 'the next question, the one before'],
  ['/', 'filter the list; Enter goes to the first that is left'],
  ['1 … 9', 'pick an option; where that is the whole answer, it is sent after three seconds'],
  ['Esc', 'take it back while it is held; leave a field'],
  ['Enter', 'the next thing to fill in; then send; then the next question'],
  ['Ctrl Enter', 'send from inside a text field'],
  ['s', 'skip: leave it to the asker'],
  ['n', 'write a note that is kept with the answer'],
  ['a', 'give the same answer by itself from now on'],
  ['x', 'dismiss, with a reason'],
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
      <h2 id="help-title">Keys</h2>
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
      <p>An answer cannot be undone once it is sent: the agent goes on with it.</p>
      <form method="dialog">
        <button type="submit" class="primary">
          Close
        </button>
      </form>
    </dialog>
  );
}
