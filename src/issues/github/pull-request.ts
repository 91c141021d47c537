import { FermataError } from '../../schema/error.ts';

export function isPullRequest(number: number): FermataError {
  return new FermataError('invalid', `#${number} is a pull request, not an issue.`);
}
