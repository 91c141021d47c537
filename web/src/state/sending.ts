import { signal } from '@preact/signals';
import type { Notification, ResolveInput } from '../../../src/schema/notification.ts';
import { isUnreachable, messageOf } from '../api/error.ts';
import { hub } from '../api/hub.ts';
import { dropDraft } from './drafts.ts';
import { put } from './ledger.ts';
import { readOne } from './reading.ts';
import { leftOut } from './session.ts';

/** An answer that one key gave can be taken back for so long; after that it is the ledger's and stays. */
export const HOLD_MS = 3000;

interface Held {
  notification: Notification;
  body: ResolveInput;
  /** What is being sent, for the person. */
  label: string;
  until: number;
}

export const held = signal<Held | undefined>(undefined);
/** Ids of notifications whose answer is on its way. */
export const sending = signal<ReadonlySet<string>>(new Set());
/** Why an answer was not taken, by notification id. */
export const refusals = signal<Readonly<Record<string, string>>>({});

let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends after a moment in which `takeBack` still helps. */
export function hold(notification: Notification, body: ResolveInput, label: string): void {
  release();
  held.value = { notification, body, label, until: Date.now() + HOLD_MS };
  timer = setTimeout(release, HOLD_MS);
}

export function takeBack(): void {
  clearTimeout(timer);
  held.value = undefined;
}

/** Whether an answer to this notification waits to be sent. */
export const isHeld = (notificationId: string): boolean => held.peek()?.notification.id === notificationId;

/** Somebody goes on with this notification: it is no longer sent by itself. */
export function takeBackOf(notificationId: string): void {
  if (isHeld(notificationId)) takeBack();
}

/** Sends at once what is held. */
export function release(keepalive = false): void {
  const waiting = held.peek();
  takeBack();
  if (waiting) void send(waiting.notification, waiting.body, keepalive === true);
}

/** Sends at once what is held of this notification. */
export function releaseOf(notificationId: string): void {
  if (isHeld(notificationId)) release();
}

export async function send(notification: Notification, body: ResolveInput, keepalive = false): Promise<void> {
  const { id, projectId } = notification;
  mark(id, true);
  refuse(id, undefined);
  try {
    put([await hub.resolve(projectId, id, body, keepalive)]);
    dropDraft(id);
  } catch (error) {
    if (leftOut(error)) return;
    if (isUnreachable(error)) {
      refuse(
        id,
        'It was not sent: the hub cannot be reached. It is kept here; send it again when the hub is back.',
      );
      return;
    }
    refuse(id, messageOf(error));
    // Somebody else was first, or it was taken back: the row says who and how.
    await readOne(projectId, id).catch((again: unknown) => refuse(id, messageOf(again)));
  } finally {
    mark(id, false);
  }
}

/** A page that is closed sends what it still holds. */
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
