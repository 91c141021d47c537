import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { programNames } from '../../src/agents/process/program.ts';

const BIN = join(import.meta.dirname, '../../bin');
const names = JSON.parse(readFileSync(join(BIN, '../package.json'), 'utf8')).bin as Record<string, string>;
const BUNDLE = `
function lazy(argv) { return argv.map((word) => word.toUpperCase()).join(' '); }
exports.main = async function main(argv, { name }) {
  console.log(name, lazy(argv), require('node:path').basename(__filename));
  return argv[0] === 'fail' ? 1 : argv[0] === 'wrong' ? 2 : 0;
};`;

let dir: string;
let home: string;
let launcher: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fermata-launcher-'));
  home = join(dir, 'home');
  launcher = join(dir, 'bin', 'fermata.cjs');
  cpSync(BIN, join(dir, 'bin'), { recursive: true });
  mkdirSync(join(dir, 'dist'));
  writeBundle(BUNDLE);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('the launcher', () => {
  it('runs the bundle, passes on the arguments, and ends with the code that it returns', () => {
    expect(run('ask', 'why')).toEqual({ status: 0, stdout: 'fermata ASK WHY cli.cjs\n', stderr: '' });
    expect(run('fail').status).toBe(1);
  });

  it.each(Object.keys(names).filter((name) => name !== 'fermata'))(
    'knows that it was called as %s',
    (name) => {
      symlinkSync(launcher, join(dir, name));
      expect(node(join(dir, name)).stdout).toBe(`${name}  cli.cjs\n`);
    },
  );

  it('SEED-1 has the same names everywhere', () => {
    expect(Object.keys(names).sort()).toEqual([...programNames].sort());
  });

  it('on a too old Node says in one sentence what it needs, and exits 2', () => {
    const old = "Object.defineProperty(process.versions, 'node', { value: '18.19.0' });";
    const { status, stdout, stderr } = node('-e', `${old} require(${JSON.stringify(launcher)})`);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^Fermata needs Node 20\.19 or newer, but this is Node 18\.19\.0: install .+\n$/);
  });

  it('refuses Windows in one sentence that names WSL2, and exits 2', () => {
    const windows = "Object.defineProperty(process, 'platform', { value: 'win32' });";
    const { status, stdout, stderr } = node('-e', `${windows} require(${JSON.stringify(launcher)})`);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^Fermata does not run on Windows itself: install WSL2 .+\n$/);
  });

  it.each(['fermata.cjs', 'requirements.cjs'])('has %s in syntax that a very old Node can read', (name) => {
    const code = readFileSync(join(BIN, name), 'utf8').replace(/^(\/\/|#!|\/\*\*).*$/gm, '');
    expect(code).not.toMatch(/=>|`|\b(const|let|class|import)\b|\?\.|\?\?|,\s*[)\]}]/);
  });

  it('in a checkout that is not built names the command that builds it, and exits 2', () => {
    rmSync(join(dir, 'dist'), { recursive: true });
    const { status, stderr } = run();
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Fermata is not built yet: run `npm run setup` in .+\n$/);
  });
});

describe("the launcher's code cache", () => {
  it('is written once per command, for this user only, and then used as it is', () => {
    run('ask');
    const { ino, mode } = statSync(cacheFile());
    expect(mode & 0o077).toBe(0);
    expect(run('ask').stdout).toBe('fermata ASK cli.cjs\n');
    expect(statSync(cacheFile()).ino).toBe(ino);
    run('answer');
    expect(readdirSync(join(home, 'cache'))).toHaveLength(2);
  });

  it('is not written after a usage error', () => {
    run('wrong');
    expect(existsSync(join(home, 'cache'))).toBe(false);
  });

  it.each([
    ['damaged in the middle', (good: Buffer) => good.fill(0x5a, good.length >> 1, (good.length >> 1) + 64)],
    ['cut short', (good: Buffer) => good.subarray(0, good.length >> 1)],
    ['empty', () => Buffer.alloc(0)],
    ['something else', () => Buffer.from('not a cache at all, but long enough to look like one')],
  ])('when %s is thrown away and written again', (_, spoil) => {
    run('ask');
    const good = readFileSync(cacheFile());
    writeFileSync(cacheFile(), spoil(Buffer.from(good)));
    expect(run('ask')).toEqual({ status: 0, stdout: 'fermata ASK cli.cjs\n', stderr: '' });
    const again = readFileSync(cacheFile());
    expect(again.length).toBeGreaterThan(good.length >> 1);
    expect(again.subarray(0, 8)).not.toEqual(Buffer.alloc(8));
  });

  it('of an earlier build is not used', () => {
    run('ask');
    writeBundle(BUNDLE.replace('toUpperCase', 'toLowerCase'));
    expect(run('ask').stdout).toBe('fermata ask cli.cjs\n');
  });

  it('of another user is not trusted', () => {
    run('ask');
    const before = statSync(cacheFile()).ino;
    const as = `process.getuid = () => 4242; process.argv.splice(1, 0, ${JSON.stringify(launcher)});`;
    const { status } = node('-e', `${as} require(${JSON.stringify(launcher)})`, 'ask');
    expect(status).toBe(0);
    expect(statSync(cacheFile()).ino).not.toBe(before);
  });

  it('that cannot be written only costs speed', () => {
    writeFileSync(home, 'a file where the folder should be');
    expect(run('ask')).toEqual({ status: 0, stdout: 'fermata ASK cli.cjs\n', stderr: '' });
  });
});

describe('the parts of the bundle', () => {
  const PARTS = `
exports.main = async function main([command, part]) {
  console.log(require('./cli/' + part + '.cjs').text());
  return 0;
};`;
  it('are loaded when needed, once, even if they import each other', () => {
    writeBundle(PARTS, {
      one: "const two = require('./two.cjs'); exports.text = () => 'one ' + two.text(); exports.name = 'é';",
      two: "const one = require('./one.cjs'); exports.text = () => 'two of ' + one.name;",
      broken: 'this is no JavaScript',
    });
    expect(run('show', 'one').stdout).toBe('one two of é\n');
    expect(run('show', 'one').stdout).toBe('one two of é\n');
  });

  it('share the cache of a command: another use of it adds what it needed', () => {
    writeBundle(PARTS, { one: "exports.text = () => 'one';", two: "exports.text = () => 'two';" });
    run('show', 'one');
    const first = statSync(cacheFile());
    expect(run('show', 'two').stdout).toBe('two\n');
    const second = statSync(cacheFile());
    expect(second.size).toBeGreaterThan(first.size);
    for (const name of ['one', 'two', 'one']) expect(run('show', name).stdout).toBe(`${name}\n`);
    expect(statSync(cacheFile()).ino).toBe(second.ino);
  });
});

it('a program that runs while an update replaces the bundle keeps using its own files', async () => {
  writeBundle(
    `exports.main = async () => {
  console.log('ready');
  for await (const _ of process.stdin);
  console.log(require('./cli/late.cjs').text);
  return 0;
};`,
    { late: "exports.text = 'the old one';" },
  );
  const child = spawn(process.execPath, [launcher], { env: { ...process.env, FERMATA_HOME: home } });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (text !== 'ready\n') return;
    rmSync(join(dir, 'dist', 'cli.bundle'));
    writeBundle(BUNDLE);
    child.stdin.end();
  });
  await once(child, 'close');
  expect(output).toBe('ready\nthe old one\n');
});

it('printing a protocol loads a small part of the program: no schemas, no YAML, no ledger', () => {
  const sizes = loadedParts('protocol', 'debugging').map(({ size }) => size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
});

it('listing what is open builds no schemas', () => {
  const names = loadedParts('inbox').map(({ name }) => name.replace(/-.{8}\.cjs$/, ''));
  expect(names).toContain('cli/inbox');
  expect(names).not.toContain('cli/schemas');
});

it('starting the built program loads neither a database nor the network', () => {
  const report =
    'process.on("exit", () => console.error(JSON.stringify([process.moduleLoadList, Object.keys(require.cache)])));';
  const args = [
    '-e',
    `${report} require(${JSON.stringify(join(BIN, 'fermata.cjs'))})`,
    'fermata',
    '--version',
  ];
  const { status, stderr } = node(...args);
  expect(status).toBe(0);
  const [builtin, files] = JSON.parse(stderr) as [string[], string[]];
  const heavy = ['tls', 'http', 'child_process', 'crypto', 'worker_threads'];
  expect(builtin.filter((name) => heavy.includes(name.replace('NativeModule ', '')))).toEqual([]);
  expect(files.filter((file) => file.includes('node_modules'))).toEqual([]);
});

/** What a command of the built program loads, by its code cache. */
function loadedParts(...args: string[]): { name: string; size: number }[] {
  expect(node(join(BIN, 'fermata.cjs'), ...args).status).toBe(0);
  const bytes = readFileSync(cacheFile());
  const index: [string][] = JSON.parse(bytes.toString('latin1', 16, 16 + bytes.readUInt32LE(8)));
  const bundle = readFileSync(join(BIN, '../dist/cli.bundle'));
  const { parts } = JSON.parse(bundle.toString('utf8', 8, 8 + Number(bundle.toString('utf8', 0, 8))));
  return index.map(([name]) => ({ name, size: parts[name][1] }));
}

/** The length of the index in 8 digits, the index, the parts. */
function writeBundle(main: string, others: Record<string, string> = {}): void {
  const codes = [main, ...Object.values(others)].map((code) => Buffer.from(code));
  const names = ['cli.cjs', ...Object.keys(others).map((name) => `cli/${name}.cjs`)];
  const starts = codes.map((_, index) => Buffer.concat(codes.slice(0, index)).length);
  const parts = Object.fromEntries(names.map((name, index) => [name, [starts[index], codes[index]?.length]]));
  const build = createHash('sha256').update(Buffer.concat(codes)).digest('hex').slice(0, 16);
  const index = Buffer.from(JSON.stringify({ build, parts }));
  const length = Buffer.from(String(index.length).padStart(8, '0'));
  writeFileSync(join(dir, 'dist', 'cli.bundle'), Buffer.concat([length, index, ...codes]));
}

function cacheFile(): string {
  const [name, ...others] = readdirSync(join(home, 'cache'));
  expect(others).toEqual([]);
  return join(home, 'cache', name ?? '');
}

function run(...args: string[]) {
  return node(launcher, ...args);
}

function node(...args: string[]) {
  const env = { ...process.env, FERMATA_HOME: home };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  return { status, stdout, stderr };
}
