import { signal } from '@preact/signals';
import type { Notification, ResolveInput } from '../../../src/schema/notification.ts';
import { isUnreachable, messageOf } from '../api/error.ts';
import { hub } from '../api/hub.ts';
import { dropDraft } from './drafts.ts';
import { put } from './ledger.ts';
import { readOne } from './reading.ts';
import { leftOut } from './session.ts';

/** How long an answer given with one key can be undone; after that it is in the ledger. */
export const HOLD_MS = 3000;

interface Held {
  notification: Notification;
  body: ResolveInput;
  /** What is being sent, as shown to the person. */
  label: string;
  until: number;
}

export const held = signal<Held | undefined>(undefined);
/** Ids of notifications whose answer is being sent. */
export const sending = signal<ReadonlySet<string>>(new Set());
/** Why an answer was refused, by notification id. */
export const refusals = signal<Readonly<Record<string, string>>>({});

let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends after a moment in which `undo` can still cancel it. A later answer to the same notification replaces it. */
export function hold(notification: Notification, body: ResolveInput, label: string): void {
  undoOf(notification.id);
  release();
  held.value = { notification, body, label, until: Date.now() + HOLD_MS };
  timer = setTimeout(release, HOLD_MS);
}

export function undo(): void {
  clearTimeout(timer);
  held.value = undefined;
}

/** Whether an answer to this notification waits to be sent. */
export const isHeld = (notificationId: string): boolean => held.peek()?.notification.id === notificationId;

/** The person continues with this notification, so it is no longer sent automatically. */
export function undoOf(notificationId: string): void {
  if (isHeld(notificationId)) undo();
}

/** Sends the held answer at once. */
export function release(keepalive = false): void {
  const waiting = held.peek();
  undo();
  if (waiting) void send(waiting.notification, waiting.body, keepalive === true);
}

/** Sends the held answer of this notification at once. */
export function releaseOf(notificationId: string): void {
  if (isHeld(notificationId)) release();
}

export async function send(notification: Notification, body: ResolveInput, keepalive = false): Promise<void> {
  const { id, projectId } = notification;
  await change(notification, async () => {
    put([await hub.resolve(projectId, id, body, keepalive)]);
    dropDraft(id);
  });
}

/** Accepts what the agent proposes to do if nobody answers. */
export async function accept(notification: Notification): Promise<void> {
  const { id, projectId } = notification;
  undoOf(id);
  await change(notification, async () => put([await hub.accept(projectId, id)]));
}

async function change({ id, projectId }: Notification, work: () => Promise<void>): Promise<void> {
  mark(id, true);
  refuse(id, undefined);
  try {
    await work();
  } catch (error) {
    if (leftOut(error)) return;
    if (isUnreachable(error)) {
      refuse(
        id,
        'Not sent, because the hub cannot be reached. Your answer is kept here; send it again when the hub is back.',
      );
      return;
    }
    refuse(id, messageOf(error));
    // Somebody else was first, or it was withdrawn; the row says who and how.
    await readOne(projectId, id).catch((again: unknown) => refuse(id, messageOf(again)));
  } finally {
    mark(id, false);
  }
}

/** A page that is closed sends its held answer. */
export function startSending(): void {
  addEventListener('pagehide', () => release(true));
}

function mark(id: string, isSending: boolean): void {
  const next = new Set(sending.peek());
  if (isSending) next.add(id);
  else next.delete(id);
  sending.value = next;
}

function refuse(id: string, message: string | undefined): void {
  const { [id]: _, ...rest } = refusals.peek();
  refusals.value = message === undefined ? rest : { ...rest, [id]: message };
}
