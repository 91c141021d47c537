import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';

/** Throws if an agent tries what only a person may do. `action` completes the sentence "An agent may not …". */
export function refuseAgent({ actor }: By, action: string): void {
  if (actor.kind !== 'agent') return;
  throw new FermataError('forbidden', `An agent may not ${action}. A person has to do that.`);
}

/** An agent may withdraw only what it asked itself. */
export function refuseForeignAgent({ actor }: By, asker: By): void {
  if (actor.kind !== 'agent') return;
  if (asker.actor.kind === 'agent' && asker.actor.name === actor.name) return;
  throw new FermataError(
    'forbidden',
    'An agent may withdraw only what it asked itself. A person has to withdraw this question.',
  );
}
