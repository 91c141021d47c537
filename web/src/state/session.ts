import { computed, signal } from '@preact/signals';
import { ApiError, messageOf } from '../api/error.ts';
import { hub } from '../api/hub.ts';
import type { Identity } from '../api/shapes.ts';
import { replaceAddress } from './location.ts';

export type Session =
  | { state: 'checking' }
  | { state: 'signed-out'; problem?: string }
  | { state: 'signed-in'; who: Identity };

export const session = signal<Session>({ state: 'checking' });

/** The one project that we may see; null for all. */
export const scope = computed(() =>
  session.value.state === 'signed-in' ? session.value.who.projectId : null,
);

const TRY_AGAIN_MS = 3000;

/** With a log-in link (`#login=CODE`) the code is traded for a session; it works once. */
export async function enter(): Promise<void> {
  const code = /^#login=(.+)$/.exec(location.hash)?.[1];
  if (code !== undefined) replaceAddress('#/inbox');
  await signIn(() => (code === undefined ? hub.session() : hub.logIn(decodeURIComponent(code))));
}

export const logIn = (code: string): Promise<void> => signIn(() => hub.logIn(code));

export async function logOut(): Promise<void> {
  await hub.logOut();
  session.value = { state: 'signed-out' };
}

async function signIn(prove: () => Promise<Identity>): Promise<void> {
  try {
    session.value = { state: 'signed-in', who: await prove() };
  } catch (error) {
    // An old link in a browser that is still signed in does no harm.
    const known = await hub.session().catch(() => undefined);
    session.value = known
      ? { state: 'signed-in', who: known }
      : { state: 'signed-out', problem: messageOf(error) };
    const isDown = error instanceof ApiError && error.code === 'unreachable';
    if (!known && isDown) setTimeout(() => void signIn(prove), TRY_AGAIN_MS);
  }
}

/** True when the hub no longer knows us; the page then asks to sign in again. */
export function leftOut(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 401) return false;
  session.value = { state: 'signed-out' };
  return true;
}
