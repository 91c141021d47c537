/** Settings of git by their full name. */
export type GitConfig = ReadonlyMap<string, string>;

/**
 * Passed with every call and stronger than a repository's settings: nothing in the repository may start a program or
 * change what we read. Keys with a name in the middle, such as `filter.<name>.clean`, are in silenced-drivers.ts.
 */
const always: GitConfig = new Map([
  ['color.ui', 'false'],
  ['core.quotePath', 'false'],
  ['advice.detachedHead', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  ['core.alternateRefsCommand', 'false'],
  // The commit graph is a file in the repository that can give a commit other parents and trees.
  ['core.commitGraph', 'false'],
  // A file counts as unchanged only if nothing about it has changed, and not because a list in the index says so.
  ['core.trustCtime', 'true'],
  ['core.checkStat', 'default'],
  ['core.ignoreStat', 'false'],
  ['core.splitIndex', 'false'],
  ['core.untrackedCache', 'false'],
  // Its other values start a git in each nested repository, which obeys that repository's configuration.
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

/**
 * The settings as environment variables, which, unlike `-c`, can name every driver. `except`: keys for which the person's
 * own settings apply.
 */
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
    // Replace refs and grafts would show other content and history than what is merged. Git ignores a graft file that
    // cannot exist.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null/none',
  };
}

const plainDiff = ['--no-ext-diff', '--no-textconv'];
/** Without this, git starts a git in each nested repository, which obeys that repository's configuration. */
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

/** What can only be set on the command line. `git add` has no such flag: see stage.ts. */
export function deafArguments(args: readonly string[]): string[] {
  const at = args.findIndex((word, index) => !word.startsWith('-') && args[index - 1] !== '-c');
  return args.toSpliced(at + 1, 0, ...(flags[args[at] ?? ''] ?? []));
}
