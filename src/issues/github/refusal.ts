import { FermataError } from '../../schema/error.ts';
import type { ApiServer } from './server.ts';

/** What a refused request means, and what the person can do. */
export function refusal(status: number, said: string, path: string, { token }: ApiServer): FermataError {
  const words = said === '' ? '' : ` It says: ${said}`;
  const login = 'Log in with "gh auth login", or set GITHUB_TOKEN.';
  switch (status) {
    case 401:
      return new FermataError(
        'forbidden',
        `GitHub rejected the token (HTTP 401).${words} Create a new one, or: ${login}`,
      );
    case 403:
      return new FermataError(
        'forbidden',
        `GitHub refused ${path} (HTTP 403).${words} The token needs permission to read issues.`,
      );
    case 404:
      return new FermataError(
        'not_found',
        `GitHub: ${path} not found (HTTP 404). Check the name${token === undefined ? `; a private repository needs a login: ${login}` : ', and that the token may read this repository.'}`,
      );
    case 410:
      return new FermataError(
        'not_found',
        `${path} no longer exists, or its issues are disabled (HTTP 410).${words}`,
      );
    default:
      return new FermataError('unavailable', `GitHub refused ${path} (HTTP ${status}).${words}`);
  }
}
