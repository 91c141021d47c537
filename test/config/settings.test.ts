import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSettings } from '../../src/config/settings.ts';
import { cpuTime } from '../support/cpu-time.ts';

let dir: string;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fermata-config-')));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const env = { FERMATA_HOME: '/home/of/tests' };
const POSTGRES = 'postgres://db.example/fermata';

function folder(...path: string[]): string {
  const made = join(dir, ...path);
  mkdirSync(made, { recursive: true });
  return made;
}

function git(cwd: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main'];
  execFileSync('git', [...identity, ...args], {
    cwd,
    stdio: 'pipe',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
  });
}

function repository(name: string): string {
  const top = folder(name);
  git(top, 'init');
  git(top, 'commit', '--allow-empty', '-m', 'first');
  return top;
}

function config(cwd: string, value: object): string {
  const path = join(cwd, 'fermata.config.json');
  writeFileSync(path, JSON.stringify(value));
  return path;
}

const projectOf = (cwd: string, flags = {}) => loadSettings(cwd, env, flags).project;

describe('which project a folder belongs to', () => {
  test('a folder that only looks like a repository, with a pipe or an endless file in it, is a plain folder', () => {
    const piped = folder('piped', '.git');
    execFileSync('mkfifo', [join(piped, 'HEAD')]);
    expect(projectOf(join(dir, 'piped')).from).toBe('folder');
    const large = folder('large', '.git');
    writeFileSync(join(large, 'HEAD'), Buffer.alloc(2 * 1024 * 1024));
    expect(projectOf(join(dir, 'large')).from).toBe('folder');
  });

  test('a git configuration full of spaces is read as fast as any other', () => {
    const top = repository('blanks');
    git(top, 'remote', 'add', 'origin', 'https://example.com/owner/app.git');
    const blanks = `${'\n'.repeat(300_000)}[remote "origin"]${'\n'.repeat(300_000)}url = ${'a'.repeat(200_000)}`;
    expect(loadSettings(top, env, { store: POSTGRES }).project.value.name).toBe('owner/app');
    writeFileSync(join(top, '.git', 'config'), blanks);
    expect(cpuTime(() => loadSettings(top, env, { store: POSTGRES }))).toBeLessThan(2000);
  });

  test('all folders and worktrees of a repository are one project, with the main checkout as its place', () => {
    const top = repository('app');
    git(top, 'worktree', 'add', join(dir, 'app-feature'));
    const main = projectOf(top);
    expect(main).toEqual({
      value: { id: expect.stringMatching(/^p-[0-9a-f]{12}$/), name: 'app', root: top, declared: true },
      from: 'git repository',
    });
    expect(projectOf(folder('app', 'src', 'deep'))).toEqual(main);
    expect(projectOf(join(dir, 'app-feature'))).toEqual(main);
    expect(projectOf(folder('app-feature', 'src'))).toEqual(main);
  });

  test('another repository is another project, and so is a submodule', () => {
    const top = repository('app');
    const other = repository('other');
    git(top, '-c', 'protocol.file.allow=always', 'submodule', 'add', other, 'lib');
    const ids = [top, other, join(top, 'lib')].map((cwd) => projectOf(cwd).value.id);
    expect(new Set(ids).size).toBe(3);
    expect(projectOf(join(top, 'lib')).value.root).toBe(join(top, 'lib'));
  });

  test('a plain folder is its own project, even through a link', () => {
    const plain = folder('notes');
    symlinkSync(plain, join(dir, 'link'));
    const { value, from } = projectOf(plain);
    expect({ ...value, from }).toMatchObject({ name: 'notes', root: plain, declared: false, from: 'folder' });
    expect(projectOf(join(dir, 'link')).value.id).toBe(value.id);
    expect(projectOf(folder('notes', 'inner')).value.id).not.toBe(value.id);
  });

  test('a plain folder with a configuration file reaches down to its subfolders', () => {
    const plain = folder('notes');
    const path = config(plain, {});
    const inner = projectOf(folder('notes', 'a', 'b'));
    expect(inner).toEqual({
      value: expect.objectContaining({ name: 'notes', root: plain, declared: true }),
      from: path,
    });
    expect(inner.value.id).toBe(projectOf(plain).value.id);
  });

  test('characters of a folder that a person would not see are shown in the name of its project (BIND-11)', () => {
    expect(projectOf(folder('a\u001b[2Jb\nc')).value.name).toBe('a␛[2Jb c');
  });

  test('a worktree whose repository is gone is a plain folder', () => {
    const top = repository('app');
    git(top, 'worktree', 'add', join(dir, 'left'));
    rmSync(top, { recursive: true });
    expect(projectOf(join(dir, 'left'))).toMatchObject({
      value: { name: 'left', declared: false },
      from: 'folder',
    });
  });

  test.each([
    ['git@github.com:acme/shop.git'],
    ['https://github.com/acme/shop'],
    ['ssh://git@git.example:2222/acme/shop.git'],
  ])('on a shared store it is the remote %s, whoever cloned it where', (url) => {
    const here = repository('one');
    const there = repository('two');
    for (const top of [here, there]) git(top, 'remote', 'add', 'origin', url);
    const shared = projectOf(here, { store: POSTGRES });
    expect(shared.value).toMatchObject({ name: 'acme/shop', root: here });
    expect(projectOf(there, { store: POSTGRES }).value.id).toBe(shared.value.id);
    expect(projectOf(there).value.id).not.toBe(projectOf(here).value.id);
  });

  test('on a shared store without a remote it is the name of the folder', () => {
    expect(projectOf(repository('solo'), { store: POSTGRES }).value.name).toBe('solo');
  });
});

describe('settings that apply', () => {
  test('a flag overrides the environment, then the file, then the default, each with its origin', () => {
    const top = repository('app');
    expect(loadSettings(top, env)).toMatchObject({
      home: { value: '/home/of/tests', from: 'FERMATA_HOME' },
      store: { value: '/home/of/tests/ledger.db', from: 'default' },
    });
    const path = config(top, { project: 'named-by-file', hilConfig: 'full' });
    expect(loadSettings(top, env, {}, { project: 'named-by-file' })).toMatchObject({
      store: { value: '/home/of/tests/ledger.db', from: 'default' },
      project: { value: { name: 'named-by-file' }, from: path },
    });
    const inEnv = { ...env, FERMATA_STORE: '/env.db', FERMATA_PROJECT: 'named-by-env' };
    expect(loadSettings(top, inEnv)).toMatchObject({
      store: { value: '/env.db', from: 'FERMATA_STORE' },
      project: { value: { name: 'named-by-env' }, from: 'FERMATA_PROJECT' },
    });
    expect(loadSettings(top, inEnv, { store: '/flag.db', project: 'named-by-flag' })).toMatchObject({
      store: { value: '/flag.db', from: '--store' },
      project: { value: { name: 'named-by-flag' }, from: '--project' },
    });
  });

  test('a file that nobody trusted neither names the project nor sets anything (BIND-10)', () => {
    const top = repository('app');
    const before = loadSettings(top, env);
    config(top, { project: 'somebody-elses', hilConfig: 'full' });
    const settings = loadSettings(top, env);
    expect(settings.project).toEqual(before.project);
    expect(settings.config).toEqual({});
    const trusted = loadSettings(top, env, {}, { project: 'somebody-elses' });
    expect(trusted.project.value.id).not.toBe(before.project.value.id);
    expect(trusted.own).toEqual(before.own);
  });

  test('an empty variable counts as not set', () => {
    const settings = loadSettings(folder('x'), { ...env, FERMATA_STORE: '', FERMATA_PROJECT: '' });
    expect(settings).toMatchObject({ store: { from: 'default' }, project: { from: 'folder' } });
  });

  test('HUB-3 a repository cannot choose the ledger, because that one would get the credentials in the environment', () => {
    const top = folder('notes');
    config(top, { store: 'postgres://db.example/x' });
    const { store, file } = loadSettings(top, env);
    expect(store.from).toBe('default');
    expect(file?.problem).toContain('store: unknown key');
  });

  test('a relative --store is in the current folder', () => {
    const inner = folder('notes', 'inner');
    expect(loadSettings(inner, env, { store: 'mine.db' }).store.value).toBe(join(inner, 'mine.db'));
  });

  test("a file above a repository's top is not the repository's", () => {
    config(dir, { project: 'outer' });
    expect(projectOf(repository('app')).value.name).toBe('app');
  });

  test('the home is in the XDG data folder unless it is named', () => {
    const cwd = folder('x');
    expect(loadSettings(cwd, { XDG_DATA_HOME: '/data' }).home).toEqual({
      value: '/data/fermata',
      from: 'default',
    });
    expect(loadSettings(cwd, {}).home.value).toMatch(/\.local\/share\/fermata$/);
  });

  test('a server other than PostgreSQL is refused without showing its password', () => {
    const load = () => loadSettings(folder('x'), env, { store: 'mysql://me:hunter2@db' });
    expect(load).toThrow(/^--store: the store must be a file or postgres:\/\/…, not mysql:\/\/…\.$/);
  });
  test.each(['postgre://db', 'postgresql:/db', 'postgres:db', 'postgres//db', 'POSTGRES://db', 'psql://db'])(
    '%s is reported as misspelt instead of becoming a folder',
    (store) => {
      expect(() => loadSettings(folder('x'), env, { store })).toThrow('Did you mean postgres://…?');
    },
  );

  test.each(['notes:2026.db', 'posts/ledger.db', 'postgres.db'])('%s is a file', (store) => {
    const cwd = folder('x');
    expect(loadSettings(cwd, env, { store }).store.value).toBe(join(cwd, store));
  });
});
