import { dirname } from 'node:path/posix';

/** The files in which dependencies are declared; a path is read with a slash before it. */
const manifest = new RegExp(
  [
    String.raw`\/(?:package|deno|jsr|import_map|composer|vcpkg|elm)\.jsonc?$`,
    String.raw`\/(?:pubspec|shard|Chart|environment|conda|pnpm-workspace)\.ya?ml$`,
    String.raw`\/(?:[\w.-]*requirements[\w.-]*|constraints[\w.-]*)\.(?:txt|in|pip)$`,
    String.raw`\/requirements\/[^/]+\.(?:txt|in|pip)$`,
    String.raw`\/(?:pyproject|Cargo|(?:Julia)?Project)\.toml$|\.versions\.toml$`,
    String.raw`\/setup\.(?:py|cfg)$|\/Pipfile$|\/go\.mod$|\/pom\.xml$|\/mix\.exs$|\/MODULE\.bazel$|\.sbt$`,
    String.raw`\/(?:Gemfile|gems\.rb|Podfile|[^/]+\.gemspec)$|\.gradle(?:\.kts)?$`,
    String.raw`\.(?:cs|fs|vb)proj$|\/packages\.config$|\/Directory\.(?:Packages|Build)\.(?:props|targets)$`,
    String.raw`\/Package(?:@swift-[\d.]+)?\.swift$`,
  ].join('|'),
  'i',
);

export const isManifest = (path: string) => manifest.test(`/${path}`);

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
