import { FermataError } from '../../../schema/error.ts';
import type { ApiServer } from './server.ts';

/** What a refused request means, and what the person does about it. */
export function refusal(status: number, said: string, path: string, { token }: ApiServer): FermataError {
  const words = said === '' ? '' : ` It says: ${said}`;
  const login = 'Log in with "gh auth login", or set GITHUB_TOKEN.';
  switch (status) {
    case 401:
      return new FermataError(
        'forbidden',
        `GitHub does not accept the token (HTTP 401).${words} Make a new one, or: ${login}`,
      );
    case 403:
      return new FermataError(
        'forbidden',
        `GitHub refused ${path} (HTTP 403).${words} The token needs the right to read issues.`,
      );
    case 404:
      return new FermataError(
        'not_found',
        `GitHub knows nothing at ${path} (HTTP 404). Check the name${token === undefined ? `; a private repository needs a log-in: ${login}` : ', and that the token may read this repository.'}`,
      );
    case 410:
      return new FermataError(
        'not_found',
        `${path} is gone, or issues are switched off there (HTTP 410).${words}`,
      );
    default:
      return new FermataError('unavailable', `GitHub refused ${path} (HTTP ${status}).${words}`);
  }
}
