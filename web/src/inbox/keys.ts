import { signal } from '@preact/signals';
import { go, route } from '../state/location.ts';
import { held, isHeld, release, undo } from '../state/sending.ts';
import { advance, pickNumber, skip } from './answering.ts';
import { hrefOfNotification, neighbour, selected } from './shown.ts';

export const helpOpen = signal(false);

/** The page's keyboard shortcuts. Inactive while somebody types or a dialog is open. */
export function startKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Escape') return leave(event);
    if (helpOpen.peek() || isTyping(event.target)) return;
    if (event.key === '?') {
      helpOpen.value = true;
      event.preventDefault();
      return;
    }
    if (route.peek().page === 'inbox' && inInbox(event)) event.preventDefault();
  });
}

function leave(event: KeyboardEvent): void {
  if (helpOpen.peek()) helpOpen.value = false;
  else if (held.peek()) undo();
  else if (isTyping(event.target)) (event.target as HTMLElement).blur();
}

/** True if the key did something. */
function inInbox({ key, target, repeat }: KeyboardEvent): boolean {
  const current = selected.peek();
  switch (key) {
    case 'j':
    case 'k':
      return step(key === 'j' ? 1 : -1);
    case '/':
      return focusFilter();
    case 's':
    case 'x':
    case 'n':
    case 'a':
    case 'p':
    case 'e':
    case 'Enter':
      if (!current || repeat) return false;
      return act(key, target);
    default:
      if (!/^[1-9]$/.test(key) || repeat || current?.status !== 'open') return false;
      pickNumber(current, Number(key));
      return true;
  }
}

function act(key: 's' | 'x' | 'n' | 'a' | 'p' | 'e' | 'Enter', target: EventTarget | null): boolean {
  const current = selected.peek();
  if (!current) return false;
  if (key === 'Enter') {
    if (isHeld(current.id) && !(target instanceof Element && target.closest('.held-box'))) {
      release();
      return true;
    }
    // On a button or a link, Enter activates it, but does not undo a pick; Space and the number do that.
    if (target instanceof Element && target.closest('button, a, summary, select') && !isPick(target))
      return false;
    if (current.status !== 'open') return step(1);
    advance(current);
    return true;
  }
  if (current.status !== 'open') return false;
  if (key === 's') skip(current);
  else press(key);
  return true;
}

/** Presses the button for a key: that of the current question, else that of the whole form. */
function press(key: string): void {
  const places = ['.question.active', '.variant.active', '.answer-form'];
  const buttons = places.map((place) =>
    document.querySelector<HTMLElement>(`.detail ${place} [data-key="${key}"]`),
  );
  buttons.find((button) => button !== null)?.click();
}

function step(direction: 1 | -1): boolean {
  const next = neighbour(direction);
  if (!next) return false;
  go(hrefOfNotification(next));
  return true;
}

/** False if the list is not visible, as on a phone. */
function focusFilter(): boolean {
  const field = document.querySelector<HTMLInputElement>('.filter input');
  field?.select();
  return document.activeElement === field;
}

const isPick = (target: Element): boolean =>
  target.closest('.option[aria-pressed="true"], .segments [aria-pressed="true"]') !== null;

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null;
}
