import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isDeadHolder } from '../../agents/run/lease.ts';
import { assignmentKey } from '../../assignments/key.ts';
import { isClosed } from '../../assignments/past.ts';
import { slug } from '../../plan/plan-folder.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import type { Run } from '../../schema/run.ts';
import { type AgentOptions, agentOptions } from '../choose-agent.ts';
import type { Context } from '../context.ts';

/** What a draft keeps in the ledger, so that any process can go on with it. Each attempt is a run of its own. */
export interface DraftData {
  command: 'draft';
  idea: string;
  adaptive: boolean;
  output: string;
  agent: AgentOptions;
  /** The plan's folder gets a progress file as well. */
  progress?: true;
  /** The key of all this. Drafts that an older version began have none. */
  about?: string;
}

export function newDraft(
  { cwd, settings }: Pick<Context, 'cwd' | 'settings'>,
  idea: string,
  options: AgentOptions & { adaptive?: boolean; output?: string; progress?: boolean },
): DraftData {
  const data = {
    command: 'draft' as const,
    idea,
    adaptive: options.adaptive ?? false,
    output: resolve(cwd, options.output ?? join(settings.project.value.root, 'plans', slug(idea))),
    agent: agentOptions(options),
    ...(options.progress ? { progress: true as const } : {}),
  };
  return { ...data, about: assignmentKey(data, cwd) };
}

/** Whose work a draft is, and which of theirs. */
export function draftAsker(projectId: string, { command, idea, output, about }: DraftData) {
  const mark: Record<string, string> = about === undefined ? { command, idea, output } : { command, about };
  return { projectId, source: 'plan' as const, sourceId: slug(idea), mark };
}

/** What was kept of a draft, without what belongs to this one run of it. */
export function draftData({ data }: Run): DraftData {
  const { command, idea, adaptive, output, agent, progress, about } = data as unknown as DraftData;
  return {
    command,
    idea,
    adaptive,
    output,
    agent,
    ...(progress ? { progress } : {}),
    ...(about === undefined ? {} : { about }),
  };
}

/** Where the attempts at this plan are kept, whichever process makes them. */
export function attemptsFolder(
  { settings }: Pick<Context, 'settings'>,
  projectId: string,
  { output }: DraftData,
): string {
  const own = createHash('sha256').update(output).digest('hex').slice(0, 8);
  return join(settings.home.value, 'projects', projectId, 'attempts', `${basename(output)}-${own}`);
}

/** The draft to go on with: the one that was named, else the newest that is not done, or whose plan is not written. */
export async function findDraft(
  { ledger: { runs } }: Pick<Context, 'ledger'>,
  projectId: string,
  wanted: string | true,
): Promise<Run> {
  const drafts = (await runs.list(projectId, 1000)).filter(isDraft);
  if (typeof wanted === 'string') return named(drafts, wanted);
  const open = (await runs.abandoned(projectId, isDeadHolder)).findLast(isDraft);
  const run = open ?? drafts.find(isUnwritten);
  if (run) return run;
  throw new FermataError('not_found', `There is no draft to resume here. Start one with: ${cmd`draft IDEA`}`);
}

/** Its plan is not on disk: the agent failed, we died before we wrote it, or it did not pass the audit. */
const isUnwritten = (run: Run) => !isClosed(run) && !existsSync(draftData(run).output);

const isDraft = (run: Run) => run.data.command === 'draft';

function named(drafts: Run[], wanted: string): Run {
  const found = drafts.filter(({ id }) => id === wanted || id.startsWith(wanted));
  const [run] = found;
  if (!run) throw new FermataError('not_found', `There is no draft ${wanted} in this project.`);
  if (found.length === 1 || run.id === wanted) return run;
  const ids = found.map(({ id }) => id).join(', ');
  throw new FermataError('invalid', `${wanted} matches several drafts: ${ids}. Type more of the id.`);
}
