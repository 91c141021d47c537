import { useEffect, useRef } from 'preact/hooks';
import { askerLabel, subjectOf } from '../../../src/schema/asker.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import { heldUp, holdsWords } from '../../../src/text/urgency.ts';
import { hrefOf, hrefOfInbox } from '../route.ts';
import { nameOf } from '../state/ledger.ts';
import { go } from '../state/location.ts';
import { tasksOf } from '../state/tasks.ts';
import { askedBy, titleOf } from '../text/words.ts';
import { Ago } from '../ui/ago.tsx';
import { AnswerForm } from './answer-form.tsx';
import { filter, isFiltering } from './filter.ts';
import { Receipt } from './receipt.tsx';
import { hrefOfNotification, neighbour } from './shown.ts';

export function Detail({ notification }: { notification: Notification }) {
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    // Moving through the list announces the notification; a person who is typing is not disturbed.
    if (document.activeElement === null || !document.activeElement.matches('input, textarea'))
      article.current?.focus({ preventScroll: true });
  }, []);
  const isOpen = notification.status === 'open';
  useEffect(() => {
    // The focus was in the form, which is gone; screen-reader users continue from here.
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
            <span>{askerLabel(notification)}</span>
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
              'Nothing else matches the filter.'
            ) : (
              'Nothing else is waiting for you.'
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
  const subject = subjectOf(notification);
  const { projectId, createdAt, createdBy, resume, status, gate } = notification;
  return (
    <>
      {task ? (
        <span>
          <a href={hrefOf('task', projectId, task.id)}>{task.title}</a>
        </span>
      ) : (
        subject && !gate && <span>{subject}</span>
      )}
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
      <div class="detail-about">
        <span class="detail-age">
          {status === 'open' ? 'waiting' : 'asked'} <Ago at={createdAt} /> {status !== 'open' && 'ago'}
        </span>
        {status === 'open' && holds && <span class="detail-holds">{holds}</span>}
        <span>asked by {askedBy(createdBy)}</span>
      </div>
    </>
  );
}
