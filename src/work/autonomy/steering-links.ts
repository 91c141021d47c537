import { posix } from 'node:path';
import { type BlobTexts, isLink, type TreeFile } from '../../git/tree-files.ts';
import { plain, steeringParent, steeringReason } from './steering-files.ts';
import { otherSteering } from './steering-table.ts';

/** The most links in a chain that are followed. */
const MAX_HOPS = 10;

/** Where links in the place of such files and folders lead: an edit there is an edit of these files. */
export class SteeringLinks {
  readonly #whole = new Map<string, string>();
  /** Of a link in the place of a folder, only some files below count. */
  readonly #folders = new Map<string, Set<string>>();

  async add(files: readonly TreeFile[], texts: BlobTexts): Promise<void> {
    const links = files.filter(isLink);
    const steering = links.flatMap(({ path }) => {
      const why = steeringReason(path);
      const folder = steeringParent(path);
      return why === undefined && folder === undefined ? [] : [{ path, why, folder }];
    });
    if (steering.length === 0) return;
    await texts.load(links);
    const byPath = new Map(links.map((link) => [plain(link.path), link]));
    for (const link of steering) {
      for (const target of targetsOf(link.path, byPath, texts)) {
        if (link.why !== undefined) this.#whole.set(target, link.why);
        else if (link.folder !== undefined)
          this.#folders.set(target, (this.#folders.get(target) ?? new Set()).add(link.folder));
      }
    }
  }

  /** Why a change at this path waits. */
  reason(path: string): string | undefined {
    if (this.#whole.size === 0 && this.#folders.size === 0) return undefined;
    const name = plain(path);
    for (const target of withParents(name)) {
      const folders = [...(this.#folders.get(target) ?? [])];
      const why =
        this.#whole.get(target) ??
        folders
          .map((each) => steeringReason(each + name.slice(target.length)))
          .find((each) => each !== undefined);
      if (why !== undefined) return `${why} (${otherSteering.target.why})`;
    }
    return undefined;
  }
}

/** Where a path leads, link by link, as long as it stays in the repository; spelled plainly. */
function targetsOf(link: string, links: Map<string, TreeFile>, texts: BlobTexts): string[] {
  const targets: string[] = [];
  for (let path = plain(link); targets.length < MAX_HOPS; ) {
    const on = withParents(path).find((each) => links.has(each));
    if (on === undefined) break;
    const joined = posix.join(posix.dirname(on), texts.of(links.get(on)), path.slice(on.length));
    path = plain(joined).replace(/\/$/, '');
    targets.push(path);
  }
  return targets.filter((path) => path !== '.' && !path.startsWith('..'));
}

/** The path and the folders that it is in. */
export function withParents(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
