import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import type { Project } from '../../schema/project.ts';
import type { CommandContext } from '../command-context.ts';

/** The project of this folder; without one, the task does not exist either. */
export async function requireProject(context: CommandContext, id: string): Promise<Project> {
  const project = await context.knownProject();
  if (project) return project;
  const { name } = context.settings.project.value;
  throw new FermataError(
    'not_found',
    `There is no task ${id}: project ${name} has no tasks yet. Add one with "${cmd`tasks add TITLE`}", or go to its folder.`,
  );
}
