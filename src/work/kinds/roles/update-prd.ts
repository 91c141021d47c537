import { createHash } from 'node:crypto';
import { readDreamer } from '../../../agents/roles/dreamer-answer.ts';
import { writeFile } from '../../../files/write-at-once.ts';
import { findSection, prdPath, readPrd, withSection } from '../../../plan/prd.ts';
import { cmd } from '../../../schema/command-line.ts';
import { FermataError } from '../../../schema/error.ts';
import { lineDiff } from '../../../schema/line-diff.ts';
import type { Run } from '../../../schema/run.ts';
import type { WorkTask } from '../../../schema/work.ts';
import type { Context } from '../../context.ts';
import { roleTitle } from '../../worker/task-names.ts';
import { askRole, type RoleOptions, roleData, type Unfinished } from './consult-role.ts';
import { findRequest } from './find-request.ts';

interface UpdatedPrd {
  kind: 'done';
  task: string;
  path: string;
  section: string;
  summary: string;
  diff: string[];
}

/** Has the Dreamer change a section of the requirements. `resume` names an earlier change. */
export async function updatePrd(
  context: Context,
  wanted: { section: string; text: string } | { resume: string | true },
  options: RoleOptions,
): Promise<Unfinished | UpdatedPrd> {
  const task = await openPrdChange(context, wanted, options);
  const path = prdPath(context.settings.project.value.root);
  const { section } = task.input;
  const current = () => findSection(readPrd(path), section)?.content ?? '';
  const role = {
    // Does not overwrite what a person wrote while the agent was working; the agent is told once.
    read: (answer: string, run: Run) =>
      run.data.basis === markOf(current()) ? readDreamer(answer) : changedMeanwhile,
    values: () => ({ section, current: current() || '(It does not exist yet.)' }),
    basis: () => markOf(current()),
  };
  return askRole(context, task, options, role, async ({ content, summary }, by) => {
    const now = readPrd(path);
    const changed = withSection(now, section, content);
    const diff = lineDiff(now, changed);
    if (diff.length > 0) writeFile(path, changed);
    await context.held?.publish();
    await context.ledger.tasks.finish(task, { summary, section }, by);
    return { kind: 'done', task: task.id, path, section, summary, diff };
  });
}

/** Stores a new change, or finds the earlier one to resume. */
export async function openPrdChange(
  context: Context,
  wanted: { section: string; text: string } | { resume: string | true },
  options: RoleOptions,
): Promise<WorkTask<'prd'>> {
  const { id: projectId } = await context.project();
  if ('resume' in wanted) {
    const found = await findRequest(context, projectId, 'prd', wanted.resume);
    if (found.result === null) return found;
    throw new FermataError('conflict', `${found.id} is already done.`);
  }
  const section = wanted.section.replace(/\s+/g, ' ').trim();
  if (section === '' || wanted.text.trim() === '') {
    throw new FermataError('invalid', `Pass the section and what to change: ${cmd`prd update SECTION TEXT`}`);
  }
  const input = { text: wanted.text, section, ...roleData(context, options) };
  const work = { kind: 'prd' as const, input };
  return context.ledger.tasks.submit({ projectId, title: roleTitle('prd', wanted.text) }, work, context.who);
}

const changedMeanwhile = {
  kind: 'unreadable' as const,
  reason: 'The section was changed while you worked on it. Change the current version.',
};

const markOf = (text: string) => createHash('sha256').update(text).digest('hex');
