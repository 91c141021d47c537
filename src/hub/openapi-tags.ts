/** The groups of operations in the documentation. */
export const tags = {
  projects: 'Projects, and how much agents may decide alone in them.',
  notifications: 'Questions, and their answers.',
  tasks: 'Tasks: claim them, work on them, and talk about them.',
  events: "A project's history.",
  plans: 'Plans and their phases.',
  runs: 'Agents at work.',
  feedback: 'Feedback that becomes tasks.',
  decisions: 'What people decided.',
  mcp: 'The Model Context Protocol, for agents that ask.',
  tokens: 'Tokens for programs.',
  workers: 'Machines that take work.',
  session: 'Log in and out, and open sockets.',
  monitoring: 'Health, metrics and this document.',
} as const;

type Tag = keyof typeof tags;

const elsewhere: Record<string, Tag> = {
  settings: 'projects',
  recorded: 'notifications',
  queue: 'workers',
  'ws-ticket': 'session',
  healthz: 'monitoring',
  metrics: 'monitoring',
  'openapi.json': 'monitoring',
};

/** The resource of a path: for `/projects/:project/tasks/:task` it is tasks. */
export function tagOf(path: string): Tag {
  const [first = '', , below] = path.slice(1).split('/');
  const resource = first === 'projects' && below !== undefined ? below : first;
  const tag = elsewhere[resource] ?? resource;
  if (!(tag in tags)) throw new Error(`${path} has no tag: add "${resource}" to the tags.`);
  return tag as Tag;
}
