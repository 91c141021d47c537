import type { By } from '../../schema/actor.ts';
import { endsInBlank, filledIn } from '../../schema/blank.ts';
import { FermataError } from '../../schema/error.ts';
import { isDecisive } from '../../schema/is-question.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';
import { requireOrigin } from '../auth/allowed-hosts.ts';
import type { HubResponse } from '../http/message.ts';
import type { Router } from '../http/router.ts';
import { httpError, isInside } from '../http-error.ts';
import type { HubParts } from '../parts.ts';
import { readBytes } from '../read-body.ts';
import { badLink, readLink, verifyLink } from './answer-link.ts';
import { linkHeaders, messagePage, questionPage } from './link-page.ts';

/** Opening a link changes nothing, because previews open it too. Submitting its form answers, once. */
export function addLinks(router: Router, parts: HubParts): void {
  const reportForeign = foreignLinks(parts.report);

  router.add('GET', '/a/:token', ({ params }) =>
    shown(parts, async () => {
      const { notification, question } = await open(parts, params.token ?? '', reportForeign);
      const { name } = await parts.ledger.projects.get(notification.projectId);
      return questionPage(notification, question, name);
    }),
  );

  router.add('POST', '/a/:token', ({ incoming, params }) =>
    shown(parts, async () => {
      requireOrigin(incoming.headers.origin);
      const { notification, question, sink } = await open(parts, params.token ?? '', reportForeign);
      const form = new URLSearchParams((await readBytes(incoming)).toString('utf8'));
      const answer = answerOf(form, notification, question);
      const by: By = { actor: { kind: 'person', name: `link by ${sink}` }, channel: 'web' };
      const input = { responses: [{ questionId: question.id, answer }] };
      const { projectId, id } = notification;
      const { repeat } = await parts.ledger.notifications.resolve(projectId, id, input, by);
      if (repeat) throw answered();
      return messagePage('Thank you', 'Your answer is stored.');
    }),
  );
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
  if (picked.some((label) => !labels.includes(label)) || (text !== '' && isDecisive(of, question)))
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

/** People see this, so errors are a page too. */
async function shown({ report }: HubParts, work: () => Promise<string>): Promise<HubResponse> {
  try {
    return { status: 200, headers: linkHeaders, body: await work() };
  } catch (error) {
    if (isInside(error)) report(error);
    const { status, body } = httpError(error);
    return { status, headers: linkHeaders, body: messagePage('Not answered', body.error.message) };
  }
}
