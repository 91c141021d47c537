import { type Place, placeAt, requireRepository } from '../../work/worktrees/place.ts';
import type { CommonOptions } from '../command.ts';
import { withSession } from '../session.ts';

/** Runs `work` with the repository of this folder and the records of its worktrees. */
export function withPlace<T>(options: CommonOptions, work: (place: Place) => Promise<T>): Promise<T> {
  requireRepository(process.cwd()); // before the folder becomes a project
  return withSession(options, async (session) => {
    const { id: projectId } = await session.project();
    return work(
      placeAt(process.cwd(), session.settings, {
        ledger: session.ledger,
        projectId,
        by: session.by('command'),
      }),
    );
  });
}
