import { Console } from 'node:console';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { Writable } from 'node:stream';
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

/** What the program keeps for its whole life. The parts with these lines, and those that load one of them, are loaded again each time. */
const STATE = ['let results = ', 'let checked;', 'let machine;', 'const first = new AbortController()'];

let bundle: ReturnType<typeof openBundle> | undefined;
const compiled = new Map<string, Part>();
const kept: Modules = new Map();

/** The process of the command that is running: all modules see it instead of Node's own. */
let current: NodeJS.Process = process;
const seen = new Proxy(process, {
  get: (_, key) => Reflect.get(current, key),
  set: (_, key, value) => Reflect.set(current, key, value),
});
const toCurrent = (name: 'stdout' | 'stderr') =>
  new Writable({
    write(chunk, _, done) {
      current[name].write(chunk);
      done();
    },
  });
const console = new Console(toCurrent('stdout'), toCurrent('stderr'));

/** The built program as the launcher loads it. Loading it takes longer than most commands, so it keeps all parts without state. */
export function loadProgram(process: NodeJS.Process): Main {
  current = process;
  bundle ??= openBundle();
  const { codes, stateful } = bundle;
  const fresh: Modules = new Map();
  const load = (name: string): object => {
    const modules = stateful.has(name) ? fresh : kept;
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const requireFrom = (id: string) => {
      if (/^(node:)?process$/.test(id)) return seen;
      if (!id.startsWith('.')) return requireBeside(id);
      return load(posix.join(posix.dirname(name), id));
    };
    const filename = join(DIST, name);
    const run = part(name, codes.get(name))(seen, console);
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
  return { codes: new Map(codes), stateful: statefulParts(codes) };
}

function statefulParts(codes: [string, string][]): Set<string> {
  const loadedBy = new Map<string, string[]>();
  for (const [name, code] of codes) {
    for (const [, id = ''] of code.matchAll(/require\("(\.[^"]+)"\)/g)) {
      const needed = posix.join(posix.dirname(name), id);
      loadedBy.set(needed, [...(loadedBy.get(needed) ?? []), name]);
    }
  }
  const found = new Set(STATE.flatMap((line) => partsWith(line, codes)));
  for (const name of found) for (const loader of loadedBy.get(name) ?? []) found.add(loader);
  return found;
}

function partsWith(line: string, codes: [string, string][]): string[] {
  const names = codes.filter(([, code]) => code.includes(`\n${line}`)).map(([name]) => name);
  if (names.length === 0) throw new Error(`No part of the program has "${line}" any more: correct STATE.`);
  return names;
}
