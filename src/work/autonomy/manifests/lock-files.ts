import { dirname } from 'node:path/posix';

/** Lock files and their manifests. */
const kinds: [lock: RegExp, manifest: RegExp][] = [
  [
    /\/(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?)$/,
    /\/(?:package\.json|pnpm-workspace\.yaml)$/,
  ],
  [/\/deno\.lock$/, /\/(?:deno\.jsonc?|import_map\.json|package\.json)$/],
  [/\/(?:poetry|uv|pdm)\.lock$/, /\/pyproject\.toml$/],
  [/\/Pipfile\.lock$/, /\/Pipfile$/],
  [/\/Cargo\.lock$/, /\/Cargo\.toml$/],
  [/\/go\.sum$/, /\/go\.mod$/],
  [/\/(?:Gemfile|gems)\.lock(?:ed)?$/, /\/(?:Gemfile|gems\.rb|[^/]+\.gemspec)$/],
  [/\/composer\.lock$/, /\/composer\.json$/],
  [/\/pubspec\.lock$/, /\/pubspec\.yaml$/],
  [/\/mix\.lock$/, /\/mix\.exs$/],
  [/\/Podfile\.lock$/, /\/Podfile$/],
  [/\/Package\.resolved$/, /\/Package[^/]*\.swift$/],
  [/\/packages\.lock\.json$/, /\.(?:cs|fs|vb)proj$|\.props$/],
  [/\/gradle\.lockfile$/, /\.gradle(?:\.kts)?$|\.versions\.toml$/],
];

export const isLockFile = (path: string) => kinds.some(([lock]) => lock.test(`/${path}`));

/** Changed lock files for which no manifest in the same folder or below was changed. */
export function lockedChanges(locks: { path: string; mark?: string }[], manifests: string[]): string[] {
  return locks
    .filter(({ path }) => !manifests.some((manifest) => follows(path, manifest)))
    .map(({ path, mark }) => `${path} ${mark ? `changes the installed versions (${mark})` : 'was deleted'}`);
}

function follows(lock: string, manifest: string): boolean {
  const folder = dirname(`/${lock}`).replace(/\/?$/, '/');
  return (
    `/${manifest}`.startsWith(folder) &&
    kinds.some(([locks, manifests]) => locks.test(`/${lock}`) && manifests.test(`/${manifest}`))
  );
}
