import type { Hono } from 'hono';
import type { By } from '../../schema/actor.ts';
import { endsInBlank, filledIn } from '../../schema/blank.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';
import { checkOrigin } from '../auth/allowed-hosts.ts';
import { httpError, isInside } from '../http-error.ts';
import type { HubContext, HubEnv, HubParts } from '../parts.ts';
import { readBytes } from '../read-body.ts';
import { readLink, verifyLink } from './answer-link.ts';
import { linkHeaders, messagePage, questionPage } from './link-page.ts';

/** Looking at a link changes nothing, since whatever shows a preview of it looks too. Sending its form answers, once. */
export function mountLinks(app: Hono<HubEnv>, parts: HubParts): void {
  app.get('/a/:token', (c) =>
    shown(c, parts, async () => {
      const { notification, question } = await open(parts, c.req.param('token'));
      return questionPage(notification, question);
    }),
  );

  app.post('/a/:token', (c) =>
    shown(c, parts, async () => {
      const { host, origin } = c.env.incoming.headers;
      checkOrigin(parts.allowed, { host, origin }, true);
      const form = new URLSearchParams((await readBytes(c.env.incoming)).toString('utf8'));
      const { notification, question, sink } = await open(parts, c.req.param('token'));
      const answer = answerOf(form, question);
      const by: By = { actor: { kind: 'person', name: `link by ${sink}` }, channel: 'web' };
      const input = { responses: [{ questionId: question.id, answer }] };
      const { projectId, id } = notification;
      const { repeat } = await parts.ledger.notifications.resolve(projectId, id, input, by);
      if (repeat) throw answered();
      return messagePage('Thank you', 'Your answer is stored.');
    }),
  );
}

/** The question of a link that is good and still waits. */
async function open(
  { ledger, linkKey }: HubParts,
  token: string,
): Promise<{ notification: Notification; question: Question; sink: string }> {
  const { projectId, notificationId, questionId, sink } = readLink(token);
  const notification = await ledger.notifications.get(projectId, notificationId).catch(notFound);
  const question = notification.questions.find(({ id }) => id === questionId);
  if (!question) return notFound();
  verifyLink(linkKey, token, question, Date.now());
  const settled = notification.responses.some((response) => response.questionId === questionId);
  if (settled || notification.status !== 'open') throw answered();
  return { notification, question, sink };
}

/** The same for all that is wrong, so that a guess tells nothing. */
function notFound(): never {
  throw new FermataError('not_found', 'This link is not good: it was altered or cut. Answer in the inbox.');
}

function answered(): FermataError {
  return new FermataError('conflict', 'This question is settled already. The inbox shows how.');
}

function answerOf(form: URLSearchParams, question: Question): string | string[] {
  const picked = form.getAll('option').filter((value) => value !== '');
  const text = form.get('text')?.trim() ?? '';
  const values = text === '' ? picked : withText(picked, text, question.multi);
  const [first] = values;
  if (first === undefined) throw new FermataError('invalid', 'Pick an option or write an answer.');
  return question.multi ? values : first;
}

/** What was written belongs into the blank of what was picked; where there is none, it is an answer of its own. */
function withText(picked: string[], text: string, multi = false): string[] {
  const blank = picked.find(endsInBlank);
  if (blank !== undefined) return picked.map((label) => (label === blank ? filledIn(label, text) : label));
  return multi ? [...picked, text] : [text];
}

/** People look at this, so errors are a page too. */
async function shown(c: HubContext, { report }: HubParts, work: () => Promise<string>): Promise<Response> {
  try {
    return c.body(await work(), 200, linkHeaders);
  } catch (error) {
    if (isInside(error)) report(error);
    const { status, body } = httpError(error);
    return c.body(messagePage('Not answered', body.error.message), status, linkHeaders);
  }
}
