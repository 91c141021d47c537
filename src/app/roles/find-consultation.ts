import { cmd } from '../../schema/command-line.ts';
import type { ConsultationOf, ConsultedRole } from '../../schema/consultation.ts';
import { FermataError } from '../../schema/error.ts';
import type { Context } from '../context.ts';

/** The one with this id or id prefix; else the newest that is open. */
export async function findConsultation<Role extends ConsultedRole>(
  { ledger }: Pick<Context, 'ledger'>,
  projectId: string,
  role: Role,
  wanted: string | true,
): Promise<ConsultationOf<Role>> {
  const all = await ledger.consultations.list(projectId, role);
  const found =
    wanted === true ? all.filter(({ status }) => status === 'open').slice(0, 1) : named(all, wanted);
  const [one] = found;
  if (one && found.length === 1) return one;
  const what = wanted === true ? 'nothing to resume' : `no "${wanted}"`;
  throw found.length > 1
    ? new FermataError('invalid', `"${wanted}" matches several ids. Type more of it.`)
    : new FermataError('not_found', `There is ${what} in this project.${role === 'analyst' ? lists() : ''}`);
}

const lists = () => ` "${cmd`feedback list`}" lists the feedback.`;

function named<Each extends { id: string }>(all: Each[], wanted: string): Each[] {
  const exact = all.filter(({ id }) => id === wanted);
  return exact.length > 0 ? exact : all.filter(({ id }) => id.startsWith(wanted));
}
