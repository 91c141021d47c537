/** Files and folders that tell agents, git hooks, CI, editors or Fermata what to do, anywhere in the tree. */
const steering = [
  // These take effect as soon as they are in a checkout.
  { name: /\.git|\.claude|\.husky|\.mcp\.json|\.envrc|fermata\.config\.json/, atOnce: true },
  { name: /\.codex|\.gemini|(?:claude|agents|gemini)(?:\.local|\.override)?\.md/ },
  { name: /\.githooks|githooks|git-hooks|\.hooks|\.?lefthook(?:-local)?(?:\..+)?/ },
  { name: /\.pre-commit-(?:config|hooks)\.ya?ml/ },
  { name: /\.github\/(?:workflows|actions)|\.vscode\/tasks\.json|codeowners/ },
  { name: /hooks\/(?:pre|post|prepare|commit|applypatch|fsmonitor|sendemail|reference|update|push)[\w-]*/ },
];

const within = (names: RegExp[]) =>
  new RegExp(`(?:^|/)(?:${names.map(({ source }) => source).join('|')})(?:/|$)`);
const all = within(steering.map(({ name }) => name));
const effectiveAtOnce = within(steering.filter(({ atOnce }) => atOnce).map(({ name }) => name));

/** Whether a change to this file needs a person's approval before the merge. Paths have forward slashes. */
export const steers = (path: string) => all.test(plain(path));

/** Whether it already takes effect in the worktree, so that a person has to see it before it is written. */
export const steersAtOnce = (path: string) => effectiveAtOnce.test(plain(path.replaceAll('\\', '/')));

/** A link that replaces such a file, or a folder that may contain one. */
export const isSteeringLink = (path: string) =>
  [path, `${path}/workflows`, `${path}/tasks.json`, `${path}/pre-commit`].some(steers);

/** The path as seen by a file system that ignores case, invisible characters, or dots and blanks at the end of a name. */
function plain(path: string): string {
  return path
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .split('/')
    .map((part) => (/^\.+$/.test(part) ? part : part.replace(/[. ]+$/, '')))
    .join('/');
}
