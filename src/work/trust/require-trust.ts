import { findRepository } from '../../config/repository.ts';
import type { ProjectIdentity } from '../../config/settings.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { cmd } from '../../schema/command-line.ts';
import type { Notification } from '../../schema/notification.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Context } from '../context.ts';
import { agentFilesFor } from './gather.ts';
import type { JudgedContent, RepositoryContent } from './repository-content.ts';
import { accept, answerTo, askForTrust, untrusted } from './trust.ts';

export interface TrustOptions {
  /** The person trusts everything new without being asked. */
  trust?: boolean;
  /** Whether to ask again about what was rejected before. */
  again?: boolean;
  /** Whether to ignore trust given in advance, because an agent may have written the content since. */
  neverInAdvance?: boolean;
}

type Project = Pick<ProjectIdentity, 'id' | 'name'> & { root: string | null };

/**
 * Continues only when a person has accepted all of this: in advance, on any channel, or now. Whatever happens meanwhile,
 * the questions stay in the inbox.
 */
export async function requireTrust(
  context: Pick<Context, 'ledger' | 'env' | 'who' | 'ask' | 'report'>,
  project: Project,
  contents: readonly RepositoryContent[],
  options: TrustOptions = {},
): Promise<void> {
  const { ledger, who, ask } = context;
  const isPerson = who.actor.kind === 'person';
  const left = await untrusted(ledger, project.id, contents);
  if (left.length === 0) return;
  await ledger.projects.ensure(project);
  if (isPerson && trustsAll(context, options)) {
    await accept(ledger, project.id, left, who);
    if (options.trust) context.report({ kind: 'trusted', files: left.map(described) });
    return;
  }
  refuseTooMany(left);
  if (!options.again) await refuseRejected(ledger, project.id, left);
  const asked: Notification[] = [];
  for (const each of left) asked.push(await askForTrust(ledger, project.id, each, who));
  if (!isPerson || !ask?.now) throw waiting(left, asked, isPerson);
  await ask.now(asked);
  const still = await untrusted(ledger, project.id, contents);
  const accepted = left.filter(({ name }) => !still.some((each) => each.name === name));
  if (accepted.length > 0) context.report({ kind: 'trusted', files: accepted.map(described) });
  await refuseRejected(ledger, project.id, still);
  if (still.length > 0) throw waiting(still, asked, isPerson);
}

/** What an agent's program would run by itself in a folder, and what else the agent would follow; checked before it starts. */
export async function requireAgentTrust(
  context: Pick<Context, 'ledger' | 'env' | 'who' | 'ask' | 'report' | 'project'>,
  cwd: string,
  options: TrustOptions,
  followed: readonly RepositoryContent[] = [],
): Promise<void> {
  const run = agentFilesFor(findRepository(cwd)?.top ?? cwd, cwd);
  const contents = [...run, ...followed];
  if (contents.length > 0) await requireTrust(context, await context.project(), contents, options);
}

/** Whether the person said in advance to trust everything here. If an agent says it, it does not count. */
export const trustsAll = ({ env }: Pick<Context, 'env'>, { trust, neverInAdvance }: TrustOptions): boolean =>
  !neverInAdvance && (trust === true || env.FERMATA_TRUST === '1');

/** More questions than a person would read. */
const MAX = 50;

function refuseTooMany(left: JudgedContent[]): void {
  if (left.length <= MAX) return;
  throw new Refusal(
    'too_many',
    `${left.length} files are not trusted yet, and Fermata asks about at most ${MAX}.`,
    {
      suggestion: 'Remove some, or read them yourself and pass --trust.',
      code: 'invalid',
    },
  );
}

/** A rejection applies to exactly this content. */
async function refuseRejected(ledger: Ledger, projectId: string, left: JudgedContent[]): Promise<void> {
  for (const each of left) {
    const answer = await answerTo(ledger, projectId, each);
    if (answer?.kind !== 'rejected') continue;
    const { resolvedBy } = answer.notification;
    throw new Refusal('rejected', `${resolvedBy?.actor.name ?? 'Somebody'} does not trust ${each.shownAs}.`, {
      suggestion: `Change it, or review it again with "${cmd`trust`}".`,
      data: { notification: answer.notification.id },
    });
  }
}

function waiting(left: JudgedContent[], asked: Notification[], isPerson: boolean): Refusal {
  const ids = asked.map(({ id }) => id);
  const answer = cmd`answer ${ids.slice(0, 1)}`;
  const how = isPerson
    ? `Review it with "${cmd`trust`}" in a terminal, or answer ${ids.join(', ')} ("${answer}"). In a script, pass --trust.`
    : `A person must review it first: ${answer}. Then try again.`;
  return new Refusal('needs_approval', `Not trusted yet: ${left.map(described).join(', ')}.`, {
    suggestion: how,
    data: {
      untrusted: left.map(({ name, state }) => ({ name, state })),
      notifications: ids,
      project: asked[0]?.projectId,
    },
    code: 'waiting',
  });
}

const described = ({ shownAs, state }: JudgedContent) => `${shownAs} (${state})`;
