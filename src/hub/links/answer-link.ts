import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { SECRET_PREFIX } from '../../ledger/ids.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';
import { ownSecret } from '../auth/secret-file.ts';

/** What a link contains: which question, until when, where it was sent, and the key that signed it. */
const Claim = z.tuple([z.string(), z.string(), z.string(), z.number(), z.string(), z.string()]);

export interface LinkTarget {
  projectId: string;
  notificationId: string;
  questionId: string;
  sink: string;
  keyId: string;
}

const LIVES_MS = 7 * 86_400_000;

/** A token for exactly this question: its text, its options and what it approves are signed too. */
export function signLink(
  key: LinkKey,
  of: Notification,
  question: Question,
  sink: string,
  now: number,
): string {
  const claim: z.infer<typeof Claim> = [of.projectId, of.id, question.id, now + LIVES_MS, sink, key.id];
  const text = SECRET_PREFIX + Buffer.from(JSON.stringify(claim)).toString('base64url');
  return `${text}.${signature(key, text, question)}`;
}

/** Which question a token names. It is not authentic until `verifyLink` has checked it. */
export function readLink(token: string): LinkTarget & { expires: number } {
  const [text = ''] = token.split('.');
  const claim = Claim.safeParse(
    text.startsWith(SECRET_PREFIX) ? parse(text.slice(SECRET_PREFIX.length)) : undefined,
  );
  if (!claim.success) throw badLink();
  const [projectId, notificationId, questionId, expires, sink, keyId] = claim.data;
  return { projectId, notificationId, questionId, expires, sink, keyId };
}

/** Throws if the token was altered, is for another wording, or has expired. */
export function verifyLink(key: LinkKey, token: string, question: Question, now: number): void {
  const [text = '', given = '', ...more] = token.split('.');
  const expected = signature(key, text, question);
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  if (more.length > 0 || a.length !== b.length || !timingSafeEqual(a, b)) throw badLink();
  if (readLink(token).expires < now)
    throw new FermataError('gone', 'This link has expired. Answer in the inbox.');
}

function signature(
  { secret }: LinkKey,
  text: string,
  { text: asked, options = [], multi = false, verbatim }: Question,
): string {
  const labels = options.map(({ id, label }) => [id ?? null, label]);
  const wording = JSON.stringify([asked, labels, multi, ...(verbatim ? [verbatim] : [])]);
  return createHmac('sha256', secret).update(`${text}\n${wording}`).digest('base64url');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined; // not a claim, so the schema refuses it
  }
}

export function badLink(): FermataError {
  return new FermataError('not_found', 'This link is not valid. Answer in the inbox.');
}

/** Signs answer links. Derived from the hub's key, which is never in the ledger: a backup or a reader could sign links. */
export interface LinkKey {
  /** Names the key in each link, and reveals nothing about it. */
  id: string;
  secret: Buffer;
}

/** `shared` is the key that all hubs of a team are given; without it, each has its own. */
export function readLinkKey(home: string, shared: string | undefined): LinkKey {
  const hubKey = shared ? requireStrong(shared) : ownSecret(home, 'hub-key');
  const derive = (what: string, bytes: number) => Buffer.from(hkdfSync('sha256', hubKey, '', what, bytes));
  return {
    id: derive('answer links: id', 6).toString('base64url'),
    secret: derive('answer links: signature', 32),
  };
}

function requireStrong(key: string): string {
  if (key.length >= 32) return key;
  throw new FermataError(
    'invalid',
    'FERMATA_KEY is too short. Use at least 32 random characters, for example those of "openssl rand -base64 32".',
  );
}
