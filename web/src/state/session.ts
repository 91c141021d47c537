import { computed, signal } from '@preact/signals';
import type { Identity } from '../../../src/schema/credential.ts';
import { ApiError, isUnreachable, messageOf } from '../api/error.ts';
import { hub } from '../api/hub.ts';
import { dropDrafts } from './drafts.ts';
import { replaceAddress } from './location.ts';
import { dropUnsent } from './unsent.ts';

export type Session =
  | { state: 'checking' }
  | { state: 'signed-out'; problem?: string }
  | { state: 'signed-in'; who: Identity };

export const session = signal<Session>({ state: 'checking' });

/** The only project that we may see; null for all. */
export const scope = computed(() =>
  session.value.state === 'signed-in' ? session.value.who.projectId : null,
);

const TRY_AGAIN_MS = 3000;

/** With a login link (`#login=CODE`), exchanges the code for a session; it works once. */
export async function enter(): Promise<void> {
  const code = /^#login=(.+)$/.exec(location.hash)?.[1];
  if (code !== undefined) replaceAddress('#/inbox');
  if (code !== undefined) return signIn(() => hub.logInByCode(decodeURIComponent(code)));
  await signIn(hub.session, 'nothing was tried yet');
}

/** With a login link, a token, or just the code of a link. */
export function logIn(text: string): Promise<void> {
  const code = /#login=(\S+)/.exec(text)?.[1];
  const secret = text.trim();
  return signIn(() => (code === undefined ? byTokenOrCode(secret) : hub.logInByCode(code)));
}

/** A code and a token look alike; anything else is probably a wrong token. */
async function byTokenOrCode(secret: string): Promise<Identity> {
  try {
    return await hub.logInByToken(secret);
  } catch (refused) {
    if (isUnreachable(refused)) throw refused;
    return hub.logInByCode(secret).catch(() => Promise.reject(refused));
  }
}

export async function logOut(): Promise<void> {
  await hub.logOut();
  dropDrafts();
  dropUnsent();
  session.value = { state: 'signed-out' };
}

/** Before a first attempt, the page says what to do instead of what is wrong. */
async function signIn(prove: () => Promise<Identity>, first?: 'nothing was tried yet'): Promise<void> {
  try {
    session.value = { state: 'signed-in', who: await prove() };
  } catch (error) {
    // An old link does no harm in a browser that is still signed in.
    const known = await hub.session().catch(() => undefined);
    const isDown = isUnreachable(error);
    session.value = known
      ? { state: 'signed-in', who: known }
      : { state: 'signed-out', ...(first && !isDown ? {} : { problem: messageOf(error) }) };
    if (!known && isDown) setTimeout(() => void signIn(prove, first), TRY_AGAIN_MS);
  }
}

/** True if the hub no longer knows us; the page then asks to sign in again. */
export function leftOut(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 401) return false;
  session.value = {
    state: 'signed-out',
    problem: 'Your session has expired. Sign in again to return to this page; what you wrote is kept.',
  };
  return true;
}
