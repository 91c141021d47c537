import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';

/** What a link contains: which question, until when, and where it was sent. */
const Claim = z.tuple([z.string(), z.string(), z.string(), z.number(), z.string()]);

export interface LinkTarget {
  projectId: string;
  notificationId: string;
  questionId: string;
  sink: string;
}

const LIVES_MS = 7 * 86_400_000;

/** A token for exactly this question: its text, its options and what it approves are signed too. */
export function signLink(
  key: Buffer,
  of: Notification,
  question: Question,
  sink: string,
  now: number,
): string {
  const claim: z.infer<typeof Claim> = [of.projectId, of.id, question.id, now + LIVES_MS, sink];
  const text = Buffer.from(JSON.stringify(claim)).toString('base64url');
  return `${text}.${signature(key, text, question)}`;
}

/** Which question a token names. It is not authentic until `verifyLink` has checked it. */
export function readLink(token: string): LinkTarget & { expires: number } {
  const claim = Claim.safeParse(parse(token.split('.')[0] ?? ''));
  if (!claim.success) throw badLink();
  const [projectId, notificationId, questionId, expires, sink] = claim.data;
  return { projectId, notificationId, questionId, expires, sink };
}

/** Throws if the token was altered, is for another wording, or has expired. */
export function verifyLink(key: Buffer, token: string, question: Question, now: number): void {
  const [text = '', given = '', ...more] = token.split('.');
  const expected = signature(key, text, question);
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  if (more.length > 0 || a.length !== b.length || !timingSafeEqual(a, b)) throw badLink();
  if (readLink(token).expires < now)
    throw new FermataError('gone', 'This link has expired. Answer in the inbox.');
}

function signature(
  key: Buffer,
  text: string,
  { text: asked, options = [], multi = false, verbatim }: Question,
): string {
  const labels = options.map(({ id, label }) => [id ?? null, label]);
  const wording = JSON.stringify([asked, labels, multi, ...(verbatim ? [verbatim] : [])]);
  return createHmac('sha256', key).update(`${text}\n${wording}`).digest('base64url');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined; // not a claim, so the schema refuses it
  }
}

export function badLink(): FermataError {
  return new FermataError(
    'not_found',
    'This link is invalid: it was changed or cut off. Answer in the inbox.',
  );
}
