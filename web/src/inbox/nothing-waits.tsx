import { allowAlerts, permission } from '../state/arrivals.ts';
import { Command, Empty } from '../ui/empty.tsx';

/** An empty inbox, and what to do next. */
export function NothingWaits() {
  return (
    <main class="page" id="main">
      <h1 class="unseen">Inbox</h1>
      <Empty title="Nothing is waiting for you">
        <p>Agents keep working until one of them is unsure. Then its question appears here.</p>
        <p>
          To try it, ask a question from a terminal:{' '}
          <Command>fermata ask "Which database?" -o PostgreSQL -o SQLite</Command>
        </p>
        {permission.value === 'default' && (
          <p>
            <button type="button" onClick={() => void allowAlerts()}>
              Notify me of new questions
            </button>
          </p>
        )}
      </Empty>
    </main>
  );
}
