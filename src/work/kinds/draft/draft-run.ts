import { createHash } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import { shortHash } from '../../../ledger/tasks/short-hash.ts';
import { slug } from '../../../plan/plan-folder.ts';
import type { WorkTask } from '../../../schema/work.ts';
import { type AgentOptions, agentOptions } from '../../agent/choose-agent.ts';
import type { Context } from '../../context.ts';
import { planTaskName, type TaskName } from '../../worker/task-names.ts';
import { folderOf, storedPath } from '../../worker/worker-path.ts';
import { findRequest } from '../roles/find-request.ts';

/** A plan from an idea, as it is stored. */
export interface DraftWork {
  name: TaskName;
  input: WorkTask<'draft'>['input'];
  output: string;
  agent: AgentOptions;
}

export function newDraft(
  context: Context,
  idea: string,
  options: AgentOptions & { adaptive?: boolean; output?: string; progress?: boolean },
): DraftWork {
  const { cwd, settings } = context;
  const output = resolve(cwd, options.output ?? join(settings.project.value.root, 'plans', slug(idea)));
  const agent = agentOptions(options);
  const input = context.ledger.tasks.clean({
    ...{ plan: storedPath(context, output), idea: idea.trim(), adaptive: options.adaptive ?? false, agent },
    ...(options.progress ? { progress: true as const } : {}),
  });
  return { name: planTaskName('draft', basename(output)), input, output, agent };
}

/** The draft to continue: the named one, else the newest that is not done. */
export async function findDraft(
  context: Context,
  projectId: string,
  wanted: string | true,
): Promise<DraftWork> {
  const { id, title, input, options } = await findRequest(context, projectId, 'draft', wanted);
  const agent = agentOptions({ agent: 'claude', ...options?.options, ...input.agent });
  return { name: { id, title }, input, output: folderOf(context, input.plan), agent };
}

/** The asker and the identity of a draft. */
export function draftAsker(projectId: string, { name, input, agent }: DraftWork) {
  const { plan, idea, adaptive = false, progress = false } = input;
  const about = shortHash('draft', plan, idea, adaptive, progress, agent);
  const work = { for: 'answer' as const, about };
  return { projectId, taskId: name.id, source: 'plan' as const, sourceId: slug(idea), work };
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
