import { Console } from 'node:console';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { Script } from 'node:vm';

const DIST = join(import.meta.dirname, '../../dist');
const requireBeside = createRequire(join(DIST, 'cli.cjs'));

type Main = (argv: string[], invoked: { name: string }) => Promise<number>;
type Part = (
  process: NodeJS.Process,
  console: Console,
) => (
  exports: object,
  require: (id: string) => unknown,
  module: { exports: object },
  filename: string,
  dirname: string,
) => void;

type Modules = Map<string, { exports: object }>;

let bundle: ReturnType<typeof openBundle> | undefined;
const compiled = new Map<string, Part>();
const kept: Modules = new Map();

/**
 * The built program as the launcher loads it, with modules that see `process` instead of Node's own. They are fresh each
 * time, except those that have nothing to do with the process (most of the loading is the schemas).
 */
export function loadProgram(process: NodeJS.Process): Main {
  bundle ??= openBundle();
  const { codes, concerned } = bundle;
  const console = new Console(process.stdout, process.stderr);
  const fresh: Modules = new Map();
  const load = (name: string): object => {
    const modules = concerned.has(name) ? fresh : kept;
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const requireFrom = (id: string) => {
      if (/^(node:)?process$/.test(id)) return process;
      if (!id.startsWith('.')) return requireBeside(id);
      return load(posix.join(posix.dirname(name), id));
    };
    const filename = join(DIST, name);
    const run = part(name, codes.get(name))(process, console);
    run(module.exports, requireFrom, module, filename, dirname(filename));
    return module.exports;
  };
  return (load('cli.cjs') as { main: Main }).main;
}

function part(name: string, code: string | undefined): Part {
  const known = compiled.get(name);
  if (known) return known;
  // Wrapped in its own function, because a part may have a variable of that name.
  const inner = `function (exports, require, module, __filename, __dirname) {${code}\n}`;
  const wrapper = `(function (process, console) { return ${inner}; })`;
  const made = new Script(wrapper, { filename: join(DIST, name) }).runInThisContext() as Part;
  compiled.set(name, made);
  return made;
}

/** See scripts/build.mjs for its format. */
function openBundle() {
  const bytes = readFileSync(join(DIST, 'cli.bundle'));
  const start = 8 + Number(bytes.toString('latin1', 0, 8));
  const { parts } = JSON.parse(bytes.toString('utf8', 8, start)) as {
    parts: Record<string, [from: number, length: number]>;
  };
  const codes = Object.entries(parts).map(([name, [from, length]]): [string, string] => [
    name,
    bytes.toString('utf8', start + from, start + from + length),
  ]);
  return { codes: new Map(codes), concerned: concernedParts(codes) };
}

/** The parts that mention the process or its console, and those that load one of these, at once or later. */
function concernedParts(codes: [string, string][]): Set<string> {
  const loadedBy = new Map<string, string[]>();
  for (const [name, code] of codes) {
    for (const [, id = ''] of code.matchAll(/require\("(\.[^"]+)"\)/g)) {
      const needed = posix.join(posix.dirname(name), id);
      loadedBy.set(needed, [...(loadedBy.get(needed) ?? []), name]);
    }
  }
  const found = new Set(
    codes.filter(([, code]) => /\b(?:process|console)\s*[.)]/.test(code)).map(([name]) => name),
  );
  for (const name of found) for (const loader of loadedBy.get(name) ?? []) found.add(loader);
  return found;
}
