import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { askerLabel, subjectOf } from '../../../src/schema/asker.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import { heldUp, holdsWords } from '../../../src/text/urgency.ts';
import { hrefOf } from '../route.ts';
import { arrivals } from '../state/arrivals.ts';
import { now } from '../state/clock.ts';
import { more, nameOf, projects } from '../state/ledger.ts';
import { tasksOf } from '../state/tasks.ts';
import { duration, responseText, titleOf } from '../text/words.ts';
import { Ago } from '../ui/ago.tsx';
import { isFiltering } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { End, More, NothingFits } from './list-end.tsx';
import { searching } from './search-rest.ts';
import { hrefOfNotification } from './shown.ts';

/** More than a screen shows; all of them are rendered again with every keystroke in the filter. */
const FIRST = 40;
/** How many are added at the end of the list. */
const STEP = 100;

/** What waits, most urgent first, each with what it blocks and since when. */
export function List({ items, current }: { items: readonly Notification[]; current: string | undefined }) {
  const seen = useSignal(FIRST);
  const drawn = Math.max(seen.value, items.findIndex(({ id }) => id === current) + FIRST / 2);
  return (
    <nav class="list" aria-label="Waiting for you">
      <FilterBar />
      {items.length === 0 && !searching.value && <NothingFits />}
      <ul>
        {items.slice(0, drawn).map((notification) => (
          <Item key={notification.id} notification={notification} current={notification.id === current} />
        ))}
      </ul>
      {drawn < items.length && <End key={drawn} onSeen={() => (seen.value = drawn + STEP)} />}
      {drawn >= items.length && more.value && !isFiltering.value && <More />}
      {searching.value && <p class="list-foot">Searching …</p>}
      <p class="list-foot">
        <a href={hrefOf('settings')}>
          {projects.value.length === 1 ? '1 project' : `${projects.value.length} projects`}
        </a>
      </p>
    </nav>
  );
}

function Item({ notification, current }: { notification: Notification; current: boolean }) {
  const { id, projectId, questions, createdAt, gate } = notification;
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (current) link.current?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const rest = gate ? 0 : questions.length - 1;
  return (
    <li
      class={`item ${arrivals.value.has(id) ? 'arrived' : ''} ${notification.status === 'open' ? '' : 'settled'}`}
    >
      <a ref={link} href={hrefOfNotification(notification)} aria-current={current ? 'true' : undefined}>
        <span class="item-top">
          <span class="item-project">{nameOf(projectId)}</span>
          <span class="item-kind">{askerLabel(notification)}</span>
          <span class="item-age">
            <Ago at={createdAt} />
          </span>
        </span>
        <span class="item-text" dir="auto">
          {titleOf(notification)}
        </span>
        <span class="item-foot">
          {notification.status === 'open' ? (
            holds(notification)
          ) : (
            <span>{`✓ ${settledWords(notification)}`}</span>
          )}
          {rest > 0 && <span>{`+${rest} more`}</span>}
          {notification.status === 'open' && <Due notification={notification} />}
        </span>
      </a>
    </li>
  );
}

function holds(notification: Notification) {
  const held = heldUp(notification, tasksOf(notification.projectId));
  return <span>{holdsWords(held) ?? subjectOf(notification)}</span>;
}

function Due({ notification: { policy, deadlineAt } }: { notification: Notification }) {
  if (deadlineAt === undefined || policy.kind === 'wait' || policy.kind === 'remind') return null;
  const verb = { default: 'auto-answered', skip: 'skipped', fail: 'expires' }[policy.kind];
  return <span class="due">{`${verb} in ${duration(Math.max(0, Date.parse(deadlineAt) - now.value))}`}</span>;
}

function settledWords({ responses, outcome, status }: Notification): string {
  const answers = responses.map(responseText).join(' / ');
  return answers === '' ? (outcome ?? status) : answers;
}
