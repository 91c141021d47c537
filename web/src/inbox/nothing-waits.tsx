import { allowAlerts, permission } from '../state/arrivals.ts';
import { Command, Empty } from '../ui/empty.tsx';

/** The best state of an inbox, and what to do in it. */
export function NothingWaits() {
  return (
    <main class="page" id="main">
      <h1 class="unseen">Inbox</h1>
      <Empty title="Nothing waits for you">
        <p>Agents go on by themselves until one of them is unsure. Its question appears here at once.</p>
        <p>
          To see how it feels, ask from a terminal:{' '}
          <Command>fermata ask "Which database?" -o PostgreSQL -o SQLite</Command>
        </p>
        {permission.value === 'default' && (
          <p>
            <button type="button" onClick={() => void allowAlerts()}>
              Tell me when something arrives
            </button>
          </p>
        )}
      </Empty>
    </main>
  );
}
