import { asDiskFull } from '../../schema/disk-full.ts';
import { FermataError } from '../../schema/error.ts';

/** An agent's model is unreachable. `what` describes it, without how a person resumes the work. */
export class ModelOutage extends FermataError {
  readonly what: string;

  constructor(what: string, resume: string) {
    super('no_agent', `${what} All sessions are kept. Resume with: ${resume}`);
    this.what = what;
  }
}

/** An error that would stop the next task too: a full disk or an unreachable model. Undefined for any other error. */
export function asOutage(error: unknown): FermataError | undefined {
  const full = asDiskFull(error);
  if (full) return full;
  return error instanceof FermataError && error.code === 'no_agent' ? error : undefined;
}
