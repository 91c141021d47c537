import { cmd } from '../../schema/command-line.ts';
import type { Consultation, ConsultedRole } from '../../schema/consultation.ts';
import { FermataError } from '../../schema/error.ts';
import type { Context } from '../context.ts';

/** The one with this id or id prefix; else the newest that is open. */
export async function findConsultation(
  { ledger }: Pick<Context, 'ledger'>,
  projectId: string,
  role: ConsultedRole,
  wanted: string | true,
): Promise<Consultation> {
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

function named(all: Consultation[], wanted: string): Consultation[] {
  const exact = all.filter(({ id }) => id === wanted);
  return exact.length > 0 ? exact : all.filter(({ id }) => id.startsWith(wanted));
}
