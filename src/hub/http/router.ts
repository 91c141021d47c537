import { FermataError } from '../../schema/error.ts';
import type { Serve } from './message.ts';

/** A node in the tree of path segments. */
interface PathNode {
  words: Map<string, PathNode>;
  /** Where any other segment leads. */
  name?: PathNode;
  /** The handler of the path that ends here, by method. */
  ends: Map<string, End>;
}

interface End {
  serve: Serve;
  /** The names of the path's segments; undefined for a literal segment. */
  names: (string | undefined)[];
}

/** Finds the handler of a path. In a path, `:project` matches any one segment; a literal segment takes precedence. */
export class Router {
  readonly #root = newPlace();
  readonly entries: { method: string; path: string }[] = [];

  add(method: string, path: string, serve: Serve): void {
    let place = this.#root;
    const names = partsOf(path).map((part) => {
      const name = part.startsWith(':') ? part.slice(1) : undefined;
      place = name === undefined ? wordPlace(place, part) : namePlace(place);
      return name;
    });
    place.ends.set(method, { serve, names });
    this.entries.push({ method, path });
  }

  find(method: string, path: string): { serve: Serve; params: Record<string, string> } | undefined {
    const parts = partsOf(path);
    const end = search(this.#root, method, parts, 0);
    if (!end) return undefined;
    const params: Record<string, string> = {};
    parts.forEach((part, index) => {
      const name = end.names[index];
      if (name !== undefined) params[name] = decoded(part);
    });
    return { serve: end.serve, params };
  }

  methods(path: string): string[] {
    const all = new Set(this.entries.map(({ method }) => method));
    return [...all].filter((method) => this.find(method, path)).sort();
  }
}

const newPlace = (): PathNode => ({ words: new Map(), ends: new Map() });

const partsOf = (path: string) => path.slice(1).split('/');

function wordPlace({ words }: PathNode, word: string): PathNode {
  const place = words.get(word) ?? newPlace();
  words.set(word, place);
  return place;
}

function namePlace(place: PathNode): PathNode {
  place.name ??= newPlace();
  return place.name;
}

function search(place: PathNode, method: string, parts: string[], index: number): End | undefined {
  const part = parts[index];
  if (part === undefined) return place.ends.get(method);
  const word = place.words.get(part);
  const end = word && search(word, method, parts, index + 1);
  if (end) return end;
  return place.name && part !== '' ? search(place.name, method, parts, index + 1) : undefined;
}

function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    const message = `"${part.slice(0, 200)}" in the URL is not encoded correctly. Write "%" as "%25".`;
    throw new FermataError('invalid', message, { cause });
  }
}
