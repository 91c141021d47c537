import type { By } from '../schema/actor.ts';
import { FermataError } from '../schema/error.ts';

/** What only a person may do. `deed` completes the sentence "An agent may not …". */
export function refuseAgent({ actor }: By, deed: string): void {
  if (actor.kind !== 'agent') return;
  throw new FermataError('forbidden', `An agent may not ${deed}. A person has to do that.`);
}
