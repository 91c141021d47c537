import { helpOpen } from '../inbox/keys.ts';
import { hrefOf, type Route } from '../route.ts';
import { open, problem, waitingCount } from '../state/ledger.ts';
import { line } from '../state/live.ts';
import { route } from '../state/location.ts';
import { isBroken } from './banner.tsx';

const PAGES = [
  { page: 'inbox', title: 'Inbox', also: [] },
  { page: 'board', title: 'Board', also: ['task'] },
  { page: 'plans', title: 'Plans', also: ['plan'] },
  { page: 'runs', title: 'Runs', also: ['run'] },
  { page: 'settings', title: 'Settings', also: ['insights'] },
] as const satisfies { page: Route['page']; title: string; also: Route['page'][] }[];

export function Nav() {
  const { page } = route.value;
  return (
    <header class="nav">
      <a class="brand" href={hrefOf('inbox')} aria-label="Fermata, inbox">
        <svg viewBox="0 0 32 22" aria-hidden="true">
          <path d="M3 19a13 13 0 0 1 26 0" />
          <circle cx="16" cy="17.5" r="2.4" />
        </svg>
        <span>Fermata</span>
      </a>
      <nav class="pages" aria-label="Pages">
        {PAGES.map((entry) => (
          <a
            key={entry.page}
            href={hrefOf(entry.page)}
            aria-current={
              page === entry.page || (entry.also as readonly string[]).includes(page) ? 'page' : undefined
            }
          >
            {entry.title}
            {entry.page === 'inbox' && open.value.length > 0 && (
              <span class="count">{waitingCount.value}</span>
            )}
          </a>
        ))}
      </nav>
      <div class="nav-foot">
        <LineState />
        <button type="button" class="quiet help-button" onClick={() => (helpOpen.value = true)}>
          Keys <kbd>?</kbd>
        </button>
      </div>
    </header>
  );
}

/** Whether the shown data is current. Always in its place, so that nothing moves when the connection breaks. */
function LineState() {
  const broken = isBroken();
  return (
    <p class={broken ? 'line broken' : 'line'} title={problem.value}>
      <span class="line-dot" aria-hidden="true" />
      {broken ? 'Reconnecting …' : line.value === 'live' ? 'Live' : 'Connecting …'}
    </p>
  );
}
