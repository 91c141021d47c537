import { signal } from '@preact/signals';
import { messageOf } from '../api/error.ts';
import { loaded, ordered } from '../state/ledger.ts';
import { line } from '../state/live.ts';
import { replaceAddress, route } from '../state/location.ts';
import { readOne } from '../state/reading.ts';
import { leftOut } from '../state/session.ts';
import { wide } from '../ui/media.ts';
import { hrefOfNotification, selected, waiting } from './shown.ts';

/** The notification in the address that could not be read, and why. */
export const unreadable = signal<{ id: string; problem: string } | undefined>(undefined);

/** A selected question stays selected, whatever arrives, so that nobody answers another one by accident. */
export function selectFirst(): void {
  const { value } = route;
  if (!ordered.value || !wide.value || value.page !== 'inbox' || value.notification !== undefined) return;
  const [first] = waiting.value;
  if (first) replaceAddress(hrefOfNotification(first));
}

/** A link may lead to something that was settled long ago or does not exist. */
export function readSelected(): void {
  const { value } = route;
  if (value.page !== 'inbox' || !value.project || !value.notification) return;
  // Tried again whenever the connection changes.
  if (line.value === 'down' || !loaded.value || selected.value) return;
  const { project, notification: id } = value;
  readOne(project, id).catch((error: unknown) => {
    if (!leftOut(error)) unreadable.value = { id, problem: messageOf(error) };
  });
}
