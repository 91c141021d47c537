import type { Ledger } from '../../ledger/ledger.ts';
import { FermataError } from '../../schema/error.ts';

/** Which events a socket is opened for. */
export interface Wanted {
  /** The cursor of each project. */
  after: Map<string, number>;
  /** Also all other projects, from their beginning. */
  all: boolean;
}

/** `/ws/projects/ID?after=N` is for one project; `/ws?after=ID:N,ID:N` for all of them. Without `after`, only new events. */
export async function wantedEvents(
  address: string,
  after: string | null,
  ledger: Ledger,
  scope: string | null,
): Promise<Wanted> {
  const path = address.replace(/^\/api\/v1(?=\/)/, '');
  const heads = await ledger.events.heads();
  const project = /^\/ws\/projects\/([^/]+)$/.exec(path)?.[1];
  if (project !== undefined) {
    const cursors = oneProject(decode(project), after, heads);
    await requireCursors(ledger, cursors);
    return { after: cursors, all: false };
  }
  if (path !== '/ws') throw new FermataError('not_found', `No socket at ${path.slice(0, 200)}.`);
  if (scope !== null) {
    throw new FermataError('forbidden', 'This token is for one project: open /ws/projects/ID.');
  }
  if (after === null) return { after: heads, all: true };
  const cursors = allProjects(after, heads);
  await requireCursors(ledger, cursors);
  return { after: cursors, all: true };
}

async function requireCursors({ events }: Ledger, cursors: Map<string, number>): Promise<void> {
  for (const [projectId, number] of cursors) await events.requireCursor(projectId, number);
}

function oneProject(id: string, after: string | null, heads: Map<string, number>): Map<string, number> {
  const head = heads.get(id);
  if (head === undefined) throw new FermataError('not_found', `There is no project ${id}.`);
  return new Map([[id, after === null ? head : cursor(after)]]);
}

function allProjects(after: string, heads: Map<string, number>): Map<string, number> {
  const cursors = new Map([...heads.keys()].map((id) => [id, 0]));
  for (const part of after.split(',').filter((text) => text !== '')) {
    const [, id = '', number = ''] = /^(.+):(\d+)$/.exec(part) ?? [];
    const head = heads.get(id);
    if (head !== undefined) cursors.set(id, cursor(number));
    else if (id === '')
      throw new FermataError('invalid', `"${part.slice(0, 100)}" is not a valid cursor. Use PROJECT:NUMBER.`);
  }
  return cursors;
}

function cursor(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new FermataError('invalid', `after=${text.slice(0, 50)} is not the number of an event.`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
