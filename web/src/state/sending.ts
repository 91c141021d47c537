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

/** Sends after a moment in which `takeBack` still helps. The last word on a notification replaces the one before. */
export function hold(notification: Notification, body: ResolveInput, label: string): void {
  takeBackOf(notification.id);
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
  await change(notification, async () => {
    put([await hub.resolve(projectId, id, body, keepalive)]);
    dropDraft(id);
  });
}

/** Accepts what the agent proposes to do if nobody answers. */
export async function accept(notification: Notification): Promise<void> {
  const { id, projectId } = notification;
  takeBackOf(id);
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
