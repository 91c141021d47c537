import { cmd } from '../../../schema/command-line.ts';
import { FermataError } from '../../../schema/error.ts';
import type { RoleKind, WorkTask } from '../../../schema/work.ts';
import type { Context } from '../../context.ts';

/** What an agent was asked for, by this id or id prefix; else the newest that is open. */
export async function findRequest<Kind extends RoleKind | 'draft'>(
  { ledger }: Pick<Context, 'ledger'>,
  projectId: string,
  kind: Kind,
  wanted: string | true,
): Promise<WorkTask<Kind>> {
  const all = await ledger.tasks.ofKind(projectId, kind);
  const found =
    wanted === true
      ? all.filter(({ result, status }) => result === null && status !== 'closed').slice(0, 1)
      : named(all, wanted);
  const [one] = found;
  if (one && found.length === 1) return one;
  const what = wanted === true ? 'nothing to resume' : `no "${wanted}"`;
  throw found.length > 1
    ? new FermataError('invalid', `"${wanted}" matches several ids. Type more of it.`)
    : new FermataError('not_found', `There is ${what} in this project.${kind === 'feedback' ? lists() : ''}`);
}

const lists = () => ` "${cmd`feedback list`}" lists the feedback.`;

function named<Each extends { id: string }>(all: Each[], wanted: string): Each[] {
  const exact = all.filter(({ id }) => id === wanted);
  return exact.length > 0 ? exact : all.filter(({ id }) => id.startsWith(wanted));
}
