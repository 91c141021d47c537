import { posix } from 'node:path';
import { ownRun } from '../../agents/agent-task.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { By } from '../../schema/actor.ts';
import type { Approach } from '../../schema/approach.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import { Refusal } from '../../schema/refusal.ts';
import { approachId } from '../gates/gate-questions.ts';

/** The ledger and the feature that approaches belong to. */
export interface Discovery {
  ledger: Ledger;
  projectId: string;
  by: By;
  scope: string;
}

export interface WrittenApproach {
  agent: string;
  number: string;
  variant: string | undefined;
  description: string | undefined;
  context: string | undefined;
  files: string | undefined;
  questions: string | undefined;
}

/** Stores an approach; its questions become one notification, which nothing waits for here. */
export async function writeApproach(discovery: Discovery, written: WrittenApproach): Promise<object> {
  const { ledger, projectId, scope } = discovery;
  const { agent, description = '', context = '' } = written;
  const number = readApproachNumber(written.number);
  const variant = written.variant?.toUpperCase() ?? null;
  if (description.trim() === '') throw missing('description', '--description TEXT');
  if (context.trim() === '') throw missing('context', '--context TEXT');
  const files = readFiles(written.files ?? '');
  const input = { projectId, scope, agent, number, variant, description, context, files };
  try {
    await ledger.approaches.write({ ...input, notificationId: null });
  } catch (error) {
    if (error instanceof FermataError && error.code === 'conflict')
      throw new Refusal('variant_conflict', error.message, { data: error.details as object });
    throw error;
  }
  const asked = await askAbout(discovery, { agent, number, variant }, written.questions ?? '');
  const approach = await ledger.approaches.write({ ...input, notificationId: asked?.id ?? null });
  return { ...approachJson(approach, asked), written: true };
}

/** One approach, or all variants of its number if none was named. */
export async function findApproaches(
  discovery: Discovery,
  agent: string,
  number: string,
  variant?: string,
): Promise<object> {
  const [, first, letter] = /^(\d+)[-_]([A-Za-z])$/.exec(number) ?? [];
  const wanted = readApproachNumber(first ?? number);
  const wantedLetter = (variant ?? letter)?.toUpperCase();
  const all = (await discovery.ledger.approaches.list(discovery.projectId, discovery.scope)).filter(
    ({ state }) => state !== 'archived',
  );
  const found = all.filter(
    (each) =>
      each.agent === agent &&
      each.number === wanted &&
      (wantedLetter === undefined || each.variant === wantedLetter),
  );
  if (found.length === 0) {
    const known = all.map(approachId).join(', ');
    throw new Refusal('not_found', `Approach ${agent} ${number}${variant ? ` ${variant}` : ''} not found.`, {
      suggestion: known === '' ? 'This feature has no approaches yet.' : `This feature has: ${known}.`,
      code: 'not_found',
    });
  }
  const approaches = await Promise.all(found.map((each) => withQuestions(discovery, each)));
  const [only] = approaches;
  return approaches.length === 1 && only ? { ...only, approaches } : { approaches };
}

async function withQuestions({ ledger, projectId }: Discovery, approach: Approach): Promise<object> {
  const asked = approach.notificationId
    ? await ledger.notifications.get(projectId, approach.notificationId)
    : undefined;
  return approachJson(approach, asked);
}

async function askAbout(
  { ledger, projectId, by, scope }: Discovery,
  approach: Pick<Approach, 'agent' | 'number' | 'variant'>,
  text: string,
): Promise<Notification | undefined> {
  const questions = text
    .split('|')
    .map((each) => each.trim())
    .filter(Boolean);
  if (questions.length === 0) return undefined;
  const sourceId = `${scope}/${approachId(approach)}`.slice(-200);
  const input = {
    projectId,
    source: 'plan' as const,
    sourceId,
    questions,
    takeUp: true,
    ...ownRun(process.env),
  };
  return (await ledger.notifications.create(input, by)).notification;
}

function approachJson(approach: Approach, asked: Notification | undefined): object {
  const { agent, number, variant, description, context, files, pendingRefinement, state } = approach;
  return {
    id: `${number}${variant ? `_${variant}` : ''}`,
    specialist_name: agent,
    approach_num: number,
    variant,
    description,
    context,
    files,
    status: state,
    ...(pendingRefinement === null ? {} : { pending_refinement: pendingRefinement }),
    ...(asked ? { notification: asked.id, questions: questionsJson(asked) } : {}),
  };
}

function questionsJson({ questions, responses }: Notification): object[] {
  return questions.map(({ id, text }) => {
    const response = responses.find(({ questionId }) => questionId === id);
    return { question: text, answer: response?.kind === 'answered' ? response.answer : null };
  });
}

function readApproachNumber(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new Refusal('invalid_number', `"${text.slice(0, 100)}" is not an approach number. Use 1 to 9999.`, {
    code: 'invalid',
  });
}

/** Relative to the project, so that they mean the same in every worktree. */
function readFiles(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
    .map((file) => {
      const path = posix.normalize(file.replaceAll('\\', '/'));
      if (!path.startsWith('..') && !path.startsWith('/') && !/^[A-Za-z]:/.test(path)) return path;
      throw new Refusal('invalid_path', `"${file.slice(0, 200)}" is outside the project.`, {
        suggestion: 'Use paths relative to the root of the project.',
        code: 'invalid',
      });
    });
}

function missing(what: 'description' | 'context', flag: string): Refusal {
  return new Refusal(`missing_${what}`, `The ${what} is missing.`, {
    suggestion: `Pass ${flag}.`,
    code: 'invalid',
  });
}
