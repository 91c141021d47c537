import { Hono } from 'hono';
import type { By } from '../../schema/actor.ts';
import { endsInBlank, filledIn } from '../../schema/blank.ts';
import { FermataError } from '../../schema/error.ts';
import { isDecisive } from '../../schema/is-question.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';
import { requireOrigin } from '../auth/allowed-hosts.ts';
import type { HubEnv } from '../http/context.ts';
import { httpError, isInside } from '../http-error.ts';
import type { HubParts } from '../parts.ts';
import { readText } from '../read-body.ts';
import { badLink, readLink, verifyLink } from './answer-link.ts';
import { linkHeaders, messagePage, questionPage } from './link-page.ts';

/** Opening a link changes nothing, because previews open it too. Submitting its form answers, once. */
export function linkPages(parts: HubParts): Hono<HubEnv> {
  const reportForeign = foreignLinks(parts.report);
  const pages = new Hono<HubEnv>();

  pages.get('/:token', async (c) => {
    const { notification, question } = await open(parts, c.req.param('token'), reportForeign);
    const { name } = await parts.ledger.projects.get(notification.projectId);
    return c.body(questionPage(notification, question, name), 200, linkHeaders);
  });

  pages.post('/:token', async (c) => {
    requireOrigin(c.req.header('origin'));
    const { notification, question, sink } = await open(parts, c.req.param('token'), reportForeign);
    const answer = answerOf(new URLSearchParams(await readText(c)), notification, question);
    const by: By = { actor: { kind: 'person', name: `link by ${sink}` }, channel: 'web' };
    const input = { responses: [{ questionId: question.id, answer }] };
    const { projectId, id } = notification;
    const { repeat } = await parts.ledger.notifications.resolve(projectId, id, input, by);
    if (repeat) throw answered();
    return c.body(messagePage('Thank you', 'Your answer is stored.'), 200, linkHeaders);
  });

  // People see this, so errors are a page too.
  return pages.onError((error, c) => {
    if (isInside(error)) parts.report(error);
    const { status, body } = httpError(error);
    return c.body(messagePage('Not answered', body.error.message), status, linkHeaders);
  });
}

/** The question of a valid link, if it is still open. */
async function open(
  { ledger, linkKey }: HubParts,
  token: string,
  reportForeign: () => void,
): Promise<{ notification: Notification; question: Question; sink: string }> {
  const { projectId, notificationId, questionId, sink, keyId } = readLink(token);
  const notification = await ledger.notifications.get(projectId, notificationId).catch(asBadLink);
  const question = notification.questions.find(({ id }) => id === questionId);
  if (!question) throw badLink();
  if (keyId !== linkKey.id) {
    reportForeign();
    throw badLink();
  }
  verifyLink(linkKey, token, question, Date.now());
  const settled = notification.responses.some((response) => response.questionId === questionId);
  if (settled || notification.status !== 'open') throw answered();
  return { notification, question, sink };
}

/** Tells the operator, but not more than once a minute, because anyone can send such links. */
function foreignLinks(report: HubParts['report']): () => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (Date.now() - reportedAt < 60_000) return;
    reportedAt = Date.now();
    report(
      new FermataError(
        'invalid',
        "An answer link for an open question was refused: it was signed with another key than this hub's. If you run several hubs, give all of them the same FERMATA_KEY and restart them.",
      ),
    );
  };
}

/** The same error for every invalid link, so that guessing reveals nothing. */
function asBadLink(error: unknown): never {
  throw error instanceof FermataError && error.code === 'not_found' ? badLink() : error;
}

function answered(): FermataError {
  return new FermataError('conflict', 'This question is already settled. See the inbox for details.');
}

/** Takes only what the page offers. */
function answerOf(form: URLSearchParams, of: Notification, question: Question): string | string[] {
  const picked = form.getAll('option').filter((value) => value !== '');
  const text = form.get('text')?.trim() ?? '';
  const labels = (question.options ?? []).map(({ label }) => label);
  const isOffered = picked.every((label) => labels.includes(label)) && (question.multi || picked.length < 2);
  if (!isOffered || (text !== '' && isDecisive(of, question)))
    throw new FermataError('invalid', `Pick one of the options: ${labels.join(', ')}.`);
  const values = text === '' ? picked : withText(picked, text, question.multi);
  const [first] = values;
  if (first === undefined) throw new FermataError('invalid', 'Pick an option or write an answer.');
  return question.multi ? values : first;
}

/** The text fills the blank of the picked option; without a blank, it is an answer of its own. */
function withText(picked: string[], text: string, multi = false): string[] {
  const blank = picked.find(endsInBlank);
  if (blank !== undefined) return picked.map((label) => (label === blank ? filledIn(label, text) : label));
  return multi ? [...picked, text] : [text];
}
