/** Files and folders that tell agents, git hooks, CI, editors or Fermata what to do, wherever they lie in the tree. */
const steering = [
  // What they say counts as soon as they lie in a checkout.
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

/** Whether a change of this file needs a person's yes before it is merged. Paths have forward slashes. */
export const steers = (path: string) => all.test(plain(path));

/** Whether it takes effect in the worktree already, so that a person looks at it before it is written. */
export const steersAtOnce = (path: string) => effectiveAtOnce.test(plain(path.replaceAll('\\', '/')));

/** A link that stands for such a file, or for a folder in which one is looked for. */
export const isSteeringLink = (path: string) =>
  [path, `${path}/workflows`, `${path}/tasks.json`, `${path}/pre-commit`].some(steers);

/** As a file system may see it that ignores case, invisible characters, or dots and blanks at the end of a name. */
function plain(path: string): string {
  return path
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .split('/')
    .map((part) => (/^\.+$/.test(part) ? part : part.replace(/[. ]+$/, '')))
    .join('/');
}
