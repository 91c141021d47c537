import { quoted } from '../schema/command-line.ts';
import { FermataError } from '../schema/error.ts';

/** The error if git failed because we did not let it run something; undefined if it failed for another reason. */
export function notRun(stderr: string, silencedFilters: readonly string[]): FermataError | undefined {
  const [, name = ''] = /\b(?:clean|smudge) filter '?(.+?)'? failed/.exec(stderr) ?? [];
  if (silencedFilters.includes(name)) return filterNotRun(name);
  if (/transport '.*' not allowed/.test(stderr)) return nothingFetched();
  return undefined;
}

function filterNotRun(name: string): FermataError {
  const section = quoted(`filter.${name}`);
  return new FermataError(
    'invalid',
    `The filter "${name}" is set only in this repository's configuration, and Fermata does not run such programs. ` +
      `If you trust it, set it in your own configuration ("git config --global"); ` +
      `if not, remove it ("git config --local --remove-section ${section}").`,
  );
}

function nothingFetched(): FermataError {
  return new FermataError(
    'invalid',
    'This partial clone lacks an object, and Fermata does not fetch. ' +
      'Run "git fetch --refetch --no-filter" first.',
  );
}
