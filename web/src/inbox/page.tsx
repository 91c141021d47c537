import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { askerKind, askerWords } from '../../../src/schema/asker.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import { hrefOf, hrefOfInbox } from '../route.ts';
import { arrivals } from '../state/arrivals.ts';
import { loaded, nameOf, open, readOne } from '../state/ledger.ts';
import { go, replaceAddress, route } from '../state/location.ts';
import { tasksOf, watchTasks } from '../state/tasks.ts';
import { askedBy, titleOf } from '../text/words.ts';
import { Ago } from '../ui/ago.tsx';
import { wide } from '../ui/media.ts';
import { AnswerForm } from './answer-form.tsx';
import { filter, isFiltering } from './filter.ts';
import { List } from './list.tsx';
import { NothingWaits } from './nothing-waits.tsx';
import { Receipt } from './receipt.tsx';
import { searchRest } from './search-rest.ts';
import { hrefOfNotification, listed, neighbour, selected, waiting } from './shown.ts';
import { heldUp, holdsWords } from './urgency.ts';

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
      {shown ? <Detail key={shown.id} notification={shown} /> : <div class="detail" />}
    </main>
  );
}

/** Once something is on the right it stays there, whatever arrives: nobody answers another question by accident. */
function selectFirst(): void {
  const { value } = route;
  if (!wide.value || value.page !== 'inbox' || value.notification !== undefined) return;
  const [first] = waiting.value;
  if (first) replaceAddress(hrefOfNotification(first));
}

/** A link may lead to something that was settled long ago. */
function readSelected(): void {
  const { value } = route;
  if (value.page !== 'inbox' || !value.project || !value.notification || !loaded.value || selected.value)
    return;
  readOne(value.project, value.notification).catch(() => replaceAddress(hrefOfInbox(filter.peek())));
}

function Detail({ notification }: { notification: Notification }) {
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    // Who moves through the list hears what is there; who types is left alone.
    if (document.activeElement === null || !document.activeElement.matches('input, textarea'))
      article.current?.focus({ preventScroll: true });
  }, []);
  const isOpen = notification.status === 'open';
  useEffect(() => {
    // With the form its focus is gone; who listens goes on from here.
    if (!isOpen && document.activeElement === document.body) article.current?.focus({ preventScroll: true });
  }, [isOpen]);
  const next = neighbour(1);
  return (
    <div class="detail">
      <article ref={article} tabIndex={-1} aria-label={titleOf(notification)}>
        <header class="detail-head">
          <div class="detail-from">
            <a class="back" href={hrefOfInbox(filter.value)}>
              ‹ Inbox
            </a>
            <strong>{nameOf(notification.projectId)}</strong>
            <span>{askerWords[askerKind(notification)]}</span>
          </div>
          <About notification={notification} />
        </header>
        {isOpen ? <AnswerForm notification={notification} keys /> : <Receipt notification={notification} />}
        {!isOpen && (
          <p class="next">
            {next ? (
              <button type="button" onClick={() => go(hrefOfNotification(next))}>
                Next question <kbd>Enter</kbd>
              </button>
            ) : isFiltering.value ? (
              'Nothing else fits the filter.'
            ) : (
              'Nothing else waits for you.'
            )}
          </p>
        )}
      </article>
    </div>
  );
}

function About({ notification }: { notification: Notification }) {
  const held = heldUp(notification, tasksOf(notification.projectId));
  const [task] = held.own;
  const holds = holdsWords(held);
  const { projectId, sourceId, createdAt, createdBy, resume, status, gate } = notification;
  return (
    <>
      <span>{task ? <a href={hrefOf('task', projectId, task.id)}>{task.title}</a> : sourceId}</span>
      {gate && (
        <span>
          <a href={hrefOf('plan', projectId, gate.plan)}>plan {gate.plan}</a>
        </span>
      )}
      {resume?.run && (
        <span>
          <a href={hrefOf('run', projectId, resume.run)}>run</a>
        </span>
      )}
      <span class="detail-age">
        {status === 'open' ? 'waits' : 'asked'} <Ago at={createdAt} /> {status !== 'open' && 'ago'}
      </span>
      {status === 'open' && holds && <span class="detail-holds">{holds}</span>}
      <span>asked by {askedBy(createdBy)}</span>
    </>
  );
}
