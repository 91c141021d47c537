/** Which waiting notifications are listed; an empty field filters nothing. */
export interface Filter {
  text: string;
  /** An id. */
  project: string;
  /** A kind of asker. */
  kind: string;
}

export const EVERYTHING: Filter = { text: '', project: '', kind: '' };

export type Route =
  | { page: 'inbox'; filter: Filter; project?: string; notification?: string }
  | { page: 'board'; project?: string }
  | { page: 'task'; project: string; task: string }
  | { page: 'plans'; project?: string }
  | { page: 'plan'; project: string; plan: string; phase?: string }
  | { page: 'runs'; project?: string }
  | { page: 'run'; project: string; run: string }
  | { page: 'insights'; project?: string }
  | { page: 'settings'; project?: string }
  | { page: 'unknown' };

/**
 * Reads `#/inbox/PROJECT/NOTIFICATION?text=…`, `#/task/PROJECT/TASK` and so on. Each part is encoded, because ids may
 * have slashes.
 */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page = '', project, id, part] = path.split('/').map(decode);
  if (page === '' || page === 'inbox') {
    const filter = filterIn(query);
    return project && id ? { page: 'inbox', filter, project, notification: id } : { page: 'inbox', filter };
  }
  if (page === 'board' || page === 'plans' || page === 'runs' || page === 'insights' || page === 'settings') {
    return project ? { page, project } : { page };
  }
  if (project && id) {
    if (page === 'task') return { page, project, task: id };
    if (page === 'plan') return { page, project, plan: id, ...(part ? { phase: part } : {}) };
    if (page === 'run') return { page, project, run: id };
  }
  return { page: 'unknown' };
}

export function hrefOf(page: Route['page'], ...parts: string[]): string {
  return `#/${[page, ...parts].map(encodeURIComponent).join('/')}`;
}

/** The inbox, or one of its notifications, with a filtered list. */
export function hrefOfInbox(filter: Filter, ...parts: string[]): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  return query.size === 0 ? hrefOf('inbox', ...parts) : `${hrefOf('inbox', ...parts)}?${query}`;
}

function filterIn(query: string): Filter {
  const given = new URLSearchParams(query);
  const field = (name: keyof Filter) => given.get(name) ?? '';
  return { text: field('text'), project: field('project'), kind: field('kind') };
}

/** A part with invalid encoding is taken literally. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
