import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isDeadHolder } from '../../agents/run/lease.ts';
import { shortHash } from '../../ledger/tasks/short-hash.ts';
import { slug } from '../../plan/plan-folder.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import type { DraftWork, Run } from '../../schema/run.ts';
import { type AgentOptions, agentOptions } from '../choose-agent.ts';
import type { Context } from '../context.ts';

export function newDraft(
  { cwd, settings, assignment }: Pick<Context, 'cwd' | 'settings' | 'assignment'>,
  idea: string,
  options: AgentOptions & { adaptive?: boolean; output?: string; progress?: boolean },
): DraftWork {
  const draft = {
    idea,
    adaptive: options.adaptive ?? false,
    output: resolve(cwd, options.output ?? join(settings.project.value.root, 'plans', slug(idea))),
    agent: agentOptions(options),
    ...(options.progress ? { progress: true as const } : {}),
  };
  const about = assignment?.key ?? shortHash(draft, cwd);
  return { for: 'draft', ...draft, about };
}

/** The asker and the identity of a draft. */
export function draftAsker(projectId: string, work: DraftWork) {
  return { projectId, source: 'plan' as const, sourceId: slug(work.idea), work };
}

/** The folder for the attempts at this plan, whichever process makes them. */
export function attemptsFolder(
  { settings }: Pick<Context, 'settings'>,
  projectId: string,
  { output }: DraftWork,
): string {
  const own = createHash('sha256').update(output).digest('hex').slice(0, 8);
  return join(settings.home.value, 'projects', projectId, 'attempts', `${basename(output)}-${own}`);
}

/** The draft to continue: the named one, else the newest that is unfinished or whose plan is not written. */
export async function findDraft(
  { ledger: { runs } }: Pick<Context, 'ledger'>,
  projectId: string,
  wanted: string | true,
): Promise<DraftWork> {
  const drafts = (await runs.list(projectId, 1000)).filter(isDraft);
  if (typeof wanted === 'string') return workOf(named(drafts, wanted));
  const open = (await runs.abandoned(projectId, isDeadHolder)).findLast(isDraft);
  const run = open ?? drafts.find(isUnwritten);
  if (run) return workOf(run);
  throw new FermataError('not_found', `There is no draft to resume here. Start one with: ${cmd`draft IDEA`}`);
}

type DraftRun = Run & { data: DraftWork };

const isDraft = (run: Run): run is DraftRun => run.data.for === 'draft';

/** Its plan is not on disk: the agent failed, we died before writing it, or it did not pass the audit. */
function isUnwritten({ data: { judgement, output } }: DraftRun): boolean {
  const isOver = judgement !== undefined && judgement.kind !== 'sent_back';
  return !isOver && !existsSync(output);
}

/** The stored data of a draft, without what belongs to this one run. */
function workOf({ data: { idea, adaptive, output, agent, progress, about } }: DraftRun): DraftWork {
  return { for: 'draft', idea, adaptive, output, agent, progress, about };
}

function named(drafts: DraftRun[], wanted: string): DraftRun {
  const found = drafts.filter(({ id }) => id === wanted || id.startsWith(wanted));
  const [run] = found;
  if (!run) throw new FermataError('not_found', `There is no draft ${wanted} in this project.`);
  if (found.length === 1 || run.id === wanted) return run;
  const ids = found.map(({ id }) => id).join(', ');
  throw new FermataError('invalid', `${wanted} matches several drafts: ${ids}. Type more of the id.`);
}
