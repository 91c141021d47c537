import { FermataError } from '../../schema/error.ts';

/** A body with the project in its path. */
export function inProject(
  sent: Record<string, unknown>,
  { project = '' }: Record<string, string>,
): Record<string, unknown> {
  const { projectId = project } = sent;
  if (projectId !== project)
    throw new FermataError(
      'invalid',
      `The projectId in the body is not the one in the path (${project}). Leave it out.`,
    );
  return { ...sent, projectId };
}
