import { asDiskFull } from '../../schema/disk-full.ts';
import { FermataError } from '../../schema/error.ts';

/** The model of an agent is away. `what` says it without how a person resumes the work. */
export class ModelOutage extends FermataError {
  readonly what: string;

  constructor(what: string, resume: string) {
    super('no_agent', `${what} All sessions are kept. Resume with: ${resume}`);
    this.what = what;
  }
}

/** What the next task would fail with as well: a full disk, or a model that is away. Undefined for any other error. */
export function asOutage(error: unknown): FermataError | undefined {
  const full = asDiskFull(error);
  if (full) return full;
  return error instanceof FermataError && error.code === 'no_agent' ? error : undefined;
}
