import { FermataError } from '../../schema/error.ts';

/** Only workers are selected by abilities. */
export function refuseStrayNeeds({ needs, queue }: { needs?: string[]; queue?: true }): void {
  if (needs && !queue) throw new FermataError('invalid', '--needs is for workers. Use it with --queue.');
}
