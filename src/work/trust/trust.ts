import type { Ledger } from '../../ledger/ledger.ts';
import { redactor } from '../../ledger/redact/redact.ts';
import type { By } from '../../schema/actor.ts';
import { limits } from '../../schema/limits.ts';
import type { Notification } from '../../schema/notification.ts';
import { Refusal } from '../../schema/refusal.ts';
import { type JudgedContent, judge, type RepositoryContent } from './repository-content.ts';
import { trustAnswer, trustAsker, trustQuestion } from './trust-question.ts';

/** The contents that a person still has to accept. Contents approved meanwhile, on any channel, are accepted now. */
export async function untrusted(
  ledger: Ledger,
  projectId: string,
  contents: readonly RepositoryContent[],
): Promise<JudgedContent[]> {
  if (contents.length === 0 || !(await ledger.projects.find(projectId))) return judge(contents, []);
  const judged = judge(contents, await ledger.trust.list(projectId));
  const left: JudgedContent[] = [];
  for (const each of judged.filter(({ state }) => state !== 'trusted')) {
    if (!(await applyApproval(ledger, projectId, each))) left.push(each);
  }
  return left;
}

async function applyApproval(ledger: Ledger, projectId: string, judged: JudgedContent): Promise<boolean> {
  const answer = await answerTo(ledger, projectId, judged);
  if (answer?.kind !== 'approved') return false;
  const { id, resolvedBy } = answer.notification;
  if (resolvedBy?.actor.kind !== 'person') return false;
  await ledger.trust.accept(projectId, [judged], resolvedBy);
  await ledger.notifications.markDelivered(projectId, id, resolvedBy);
  return true;
}

export async function answerTo(ledger: Ledger, projectId: string, judged: JudgedContent) {
  const asked = await ledger.notifications.asked(projectId, 'approval', trustAsker(judged.name));
  return trustAnswer(judged, asked);
}

/** Accepts contents for a person who has read them, and closes questions about them. */
export async function accept(
  ledger: Ledger,
  projectId: string,
  contents: readonly RepositoryContent[],
  by: By,
): Promise<void> {
  for (const each of contents) refuseBinary(each);
  await ledger.trust.accept(
    projectId,
    contents.map(({ name, content }) => ({ name, content })),
    by,
  );
  for (const { name } of contents) {
    for (const { id } of await openQuestions(ledger, projectId, name))
      await ledger.notifications.withdraw(projectId, id, 'It was trusted elsewhere.', by);
  }
}

/** Asks whether to trust a content. Identical requests share one question, and a newer version supersedes an older one. */
export async function askForTrust(
  ledger: Ledger,
  projectId: string,
  judged: JudgedContent,
  by: By,
): Promise<Notification> {
  const question = trustQuestion(judged);
  refuseUnshowable(judged, question.verbatim.map(({ text }) => text).join(''));
  const asked = {
    projectId,
    source: 'approval' as const,
    sourceId: trustAsker(judged.name),
    questions: [question],
  };
  const { notification } = await ledger.notifications.create(asked, by);
  for (const { id } of await openQuestions(ledger, projectId, judged.name)) {
    if (id !== notification.id)
      await ledger.notifications.supersede(projectId, id, notification.id, 'The content changed.', by);
  }
  return notification;
}

async function openQuestions(ledger: Ledger, projectId: string, name: string): Promise<Notification[]> {
  const asked = await ledger.notifications.asked(projectId, 'approval', trustAsker(name));
  return asked.filter(({ status }) => status === 'open');
}

/** Refuses content that a question cannot show in full. */
function refuseUnshowable(judged: JudgedContent, shown: string): void {
  refuseBinary(judged);
  const { shownAs } = judged;
  if (shown.length > limits.context) {
    throw new Refusal(
      'too_large',
      `${shownAs} is too large to show in a question (${shown.length} characters, the limit is ${limits.context}).`,
      { suggestion: 'Make it smaller, or read it yourself and pass --trust.', code: 'invalid' },
    );
  }
  if (redactor(process.env)(shown) !== shown) {
    throw new Refusal(
      'secret',
      `${shownAs} seems to contain a secret, so Fermata cannot show it in a question.`,
      {
        suggestion: 'Remove the secret, or read the file yourself and pass --trust.',
        code: 'invalid',
      },
    );
  }
}

function refuseBinary({ shownAs, content }: RepositoryContent): void {
  if (!content.includes('\0')) return;
  throw new Refusal('binary', `${shownAs} is not a text file, because it contains a zero byte.`, {
    suggestion: 'Replace it with a text file.',
    code: 'invalid',
  });
}
