export type Route =
  | { page: 'inbox'; project?: string; notification?: string }
  | { page: 'board'; project?: string }
  | { page: 'task'; project: string; task: string }
  | { page: 'plans'; project?: string }
  | { page: 'plan'; project: string; plan: string; phase?: string }
  | { page: 'runs'; project?: string }
  | { page: 'run'; project: string; run: string }
  | { page: 'settings'; project?: string }
  | { page: 'unknown' };

/** Reads `#/inbox/PROJECT/NOTIFICATION`, `#/task/PROJECT/TASK` and so on; each part is encoded: ids may have slashes. */
export function parseRoute(hash: string): Route {
  const [page = '', project, id, part] = hash.replace(/^#\/?/, '').split('/').map(decode);
  if (page === '' || page === 'inbox') {
    return project && id ? { page: 'inbox', project, notification: id } : { page: 'inbox' };
  }
  if (page === 'board' || page === 'plans' || page === 'runs' || page === 'settings') {
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

/** A part that nobody could have encoded is taken as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
