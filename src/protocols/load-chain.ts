import { didYouMean } from '../config/near.ts';
import type { Found, Library } from './library.ts';
import { errorAt, type Problem } from './problem.ts';
import type { Declaration } from './protocol.ts';
import { listNames } from './shown.ts';

export interface Chain {
  /** The base protocol, which extends nothing, comes first. */
  chain: [Declaration, ...Declaration[]];
  problems: Problem[];
}

/** Follows `extends` to its end. A missing or circular base is a problem at the line that names it. */
export async function loadChain(found: Found, library: Library): Promise<Chain> {
  const loaded: Chain = { chain: [found.declaration], problems: [...found.problems] };
  const seen = new Map([[found.declaration.at.file, found.declaration.name]]);
  for (let child = found; child.declaration.extends; ) {
    const { name, at } = child.declaration.extends;
    const base = await findBase(child, name, library);
    if (!base) {
      const names = library.names();
      const message = `There is no protocol "${name}" to extend.${didYouMean(name, names)}`;
      return withProblem(loaded, errorAt(at, `${message} ${listNames(names)}`));
    }
    const { file } = base.declaration.at;
    if (seen.has(file)) return withProblem(loaded, errorAt(at, circle(seen, file, base)));
    seen.set(file, base.declaration.name);
    loaded.chain.unshift(base.declaration);
    loaded.problems.push(...base.problems);
    child = base;
  }
  return loaded;
}

/** A file that extends its own name changes the built-in protocol of that name. */
async function findBase(child: Found, name: string, library: Library): Promise<Found | undefined> {
  const base = await library.find(name);
  const itself = base !== undefined && base.declaration.at.file === child.declaration.at.file;
  return itself && child.from === 'project' ? (library.builtin(name) ?? base) : base;
}

const MAX_SHOWN = 20;

function circle(seen: Map<string, string>, again: string, base: Found): string {
  const files = [...seen.keys()];
  const names = [...seen.values()].slice(files.indexOf(again));
  const few = names.length > MAX_SHOWN ? [...names.slice(0, MAX_SHOWN - 1), '…', names.at(-1)] : names;
  return `This protocol extends itself: ${[...few, base.declaration.name].join(' → ')}.`;
}

function withProblem(loaded: Chain, problem: Problem): Chain {
  return { ...loaded, problems: [...loaded.problems, problem] };
}
