/** Settings of git by their full name. */
export type GitConfig = ReadonlyMap<string, string>;

/**
 * Said on every call, over whatever a repository says: nothing in it may start a program, and nothing changes what we
 * read. Keys with a name in the middle, such as `filter.<name>.clean`, are in silenced-drivers.ts.
 */
const always: GitConfig = new Map([
  ['color.ui', 'false'],
  ['core.quotePath', 'false'],
  ['advice.detachedHead', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  ['core.alternateRefsCommand', 'false'],
  // A file in the repository that can name other parents and trees for a commit.
  ['core.commitGraph', 'false'],
  // Its other values start a git inside each nested repository, which listens to that repository.
  ['diff.submodule', 'short'],
  ['diff.orderFile', '/dev/null'],
  ['diff.noPrefix', 'false'],
  ['diff.mnemonicPrefix', 'false'],
  ['credential.helper', ''],
  ['commit.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['merge.verifySignatures', 'false'],
  ['submodule.recurse', 'false'],
  ['status.submoduleSummary', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['safe.bareRepository', 'explicit'],
]);

/** The settings as environment variables, which, unlike `-c`, can name every driver. `except`: what the person's count for. */
export function deafEnvironment(
  more: GitConfig,
  except: ReadonlySet<string> = new Set(),
): Record<string, string> {
  const all = [...[...always].filter(([key]) => !except.has(key)), ...more];
  const entries = all.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return {
    ...Object.fromEntries(entries),
    GIT_CONFIG_COUNT: String(all.length),
    // No transport: a repository can name programs for its remotes, and a missing object would start them.
    GIT_ALLOW_PROTOCOL: '',
    // Both would show other content and history than what is merged. Git is silent about a file that cannot exist.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null/none',
  };
}

const plainDiff = ['--no-ext-diff', '--no-textconv'];
/** With less than this, git starts a git inside each nested repository, which listens to that repository. */
const outside = '--ignore-submodules=dirty';

const flags: Record<string, string[]> = {
  diff: [...plainDiff, outside],
  'diff-tree': plainDiff,
  grep: ['--no-textconv'],
  log: plainDiff,
  merge: ['--no-verify-signatures', '--no-squash'],
  show: plainDiff,
  status: [outside],
};

/** What can only be said on the command line. `git add` has no such flag: see stage.ts. */
export function deafArguments(args: readonly string[]): string[] {
  const at = args.findIndex((word, index) => !word.startsWith('-') && args[index - 1] !== '-c');
  return args.toSpliced(at + 1, 0, ...(flags[args[at] ?? ''] ?? []));
}
