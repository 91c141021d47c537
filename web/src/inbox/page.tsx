import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { hrefOfInbox } from '../route.ts';
import { arrivals } from '../state/arrivals.ts';
import { loaded, open } from '../state/ledger.ts';
import { route } from '../state/location.ts';
import { watchTasks } from '../state/tasks.ts';
import { Empty } from '../ui/empty.tsx';
import { Detail } from './detail.tsx';
import { filter, isFiltering } from './filter.ts';
import { List } from './list.tsx';
import { NothingWaits } from './nothing-waits.tsx';
import { searchRest } from './search-rest.ts';
import { readSelected, selectFirst, unreadable } from './selection.ts';
import { listed, selected } from './shown.ts';

export function InboxPage() {
  useEffect(() => effect(() => void watchTasks(new Set(open.value.map(({ projectId }) => projectId)))), []);
  useEffect(() => effect(selectFirst), []);
  useEffect(() => effect(readSelected), []);
  useEffect(() => effect(searchRest), []);
  const shown = selected.value;
  const asked = route.value.page === 'inbox' && route.value.notification !== undefined;
  if (!loaded.value) return <main class="inbox" id="main" aria-busy="true" />;
  if (open.value.length === 0 && !asked && !isFiltering.value) return <NothingWaits />;
  return (
    <main class={asked ? 'inbox has-selection' : 'inbox'} id="main">
      <h1 class="unseen">Inbox</h1>
      <p class="unseen" role="status">
        {arrivals.value.size > 0 && `New: ${arrivals.value.size}`}
      </p>
      <List items={listed.value} current={shown?.id} />
      {shown ? <Detail key={shown.id} notification={shown} /> : <NotThere />}
    </main>
  );
}

/** Shown next to the list if nothing is selected, or if it could not be read. */
function NotThere() {
  const { value } = route;
  const id = value.page === 'inbox' ? value.notification : undefined;
  const found = unreadable.value;
  return (
    <div class="detail">
      {found && found.id === id && (
        <Empty title="Cannot show this question">
          <p>{found.problem}</p>
          <p>
            <a href={hrefOfInbox(filter.value)}>Back to the inbox</a>
          </p>
        </Empty>
      )}
    </div>
  );
}
