import { join } from 'node:path';
import { readSmall } from '../../files/read-bounded.ts';
import { checkManifests, detectChecks, type ProjectCheck } from '../../issues/repository/checks.ts';
import type { Config } from '../../schema/config.ts';
import type { RepositoryContent } from './repository-content.ts';

const MAX_SIZE = 4 * 1024 * 1024;

/** How work on a task without a plan is checked: by the person's trusted configuration, or else by the manifests. */
export function projectChecks(top: string, { checks }: Pick<Config, 'checks'>): ProjectCheck[] {
  return checks ? checks.map((command) => ({ command })) : detectChecks(manifestsIn(top));
}

/** What a person has to trust before Fermata runs checks that nobody configured. */
export function checkContents(top: string): RepositoryContent[] {
  return checksOf(manifestsIn(top));
}

/** The same for the manifests of a commit. */
export function checksOf(manifests: ReadonlyMap<string, string>): RepositoryContent[] {
  const checks = detectChecks(manifests);
  if (checks.length === 0) return [];
  const content = checks.map(({ command, runs }) => (runs ? `${command}   # ${runs}` : command)).join('\n');
  const effect = 'Fermata runs them before it merges a task without a plan.';
  return [{ name: 'checks', shownAs: 'checks of this project', effect, content }];
}

function manifestsIn(top: string): Map<string, string> {
  return new Map(
    checkManifests.flatMap((name) => {
      const text = readSmall(join(top, name), MAX_SIZE);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
}
