import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isDeadHolder } from '../../agents/lease.ts';
import type { Attempt } from '../../planning/convert/attempt-plan.ts';
import { slug } from '../../planning/plan-folder.ts';
import { FermataError } from '../../schema/error.ts';
import type { Run } from '../../schema/run.ts';
import { type AgentOptions, agentOptions } from '../agents/choose.ts';
import { givenText } from '../given-text.ts';
import type { Session } from '../session.ts';

/** What a draft keeps in the ledger, so that any process can go on with it. Each attempt is a run of its own. */
export interface DraftData {
  command: 'draft';
  idea: string;
  adaptive: boolean;
  output: string;
  agent: AgentOptions;
  /** The attempts before this one, which failed the audit, and their runs. */
  attempts?: Attempt[];
  runs?: string[];
  /** How often the agent has come with questions, over all attempts. */
  rounds?: number;
}

export async function newDraft(
  session: Session,
  idea: string | undefined,
  options: AgentOptions & { adaptive?: true; output?: string },
): Promise<DraftData> {
  const text = await givenText(idea, 'the idea');
  return {
    command: 'draft',
    idea: text,
    adaptive: options.adaptive ?? false,
    output: resolve(options.output ?? join(session.settings.project.value.root, 'plans', slug(text))),
    agent: agentOptions(options),
  };
}

export const draftData = (run: Run) => run.data as unknown as DraftData;

/** Where the attempts at this plan are kept, whichever process makes them. */
export function attemptsFolder({ settings }: Session, projectId: string, { output }: DraftData): string {
  const own = createHash('sha256').update(output).digest('hex').slice(0, 8);
  return join(settings.home.value, 'projects', projectId, 'attempts', `${basename(output)}-${own}`);
}

/** The draft to go on with: the one that was named, else the newest that is not done, or whose plan is not written. */
export async function findDraft(session: Session, projectId: string, wanted: string | true): Promise<Run> {
  const { runs } = session.ledger;
  const drafts = (await runs.list(projectId, 1000)).filter(isDraft);
  if (typeof wanted === 'string') return named(drafts, wanted);
  const open = (await runs.abandoned(projectId, isDeadHolder)).findLast(isDraft);
  const run = open ?? drafts.find(isUnwritten);
  if (run) return run;
  throw new FermataError(
    'not_found',
    'There is no draft to go on with here. Start one with: fermata draft IDEA',
  );
}

/** The agent has finished, but its plan is not on disk: we died before, or it did not pass the audit. */
export function isUnwritten(run: Run): boolean {
  return run.status === 'ended' && run.end?.reason === 'ok' && !existsSync(draftData(run).output);
}

const isDraft = (run: Run) => run.data.command === 'draft';

function named(drafts: Run[], wanted: string): Run {
  const found = drafts.filter(({ id }) => id === wanted || id.startsWith(wanted));
  const [run] = found;
  if (!run) throw new FermataError('not_found', `There is no draft ${wanted} in this project.`);
  if (found.length === 1 || run.id === wanted) return run;
  const ids = found.map(({ id }) => id).join(', ');
  throw new FermataError('invalid', `${wanted} is the beginning of several drafts: ${ids}.`);
}
