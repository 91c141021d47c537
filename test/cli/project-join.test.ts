import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { openContext } from '../../src/work/context.ts';
import { fermata, freshFolder } from '../support/fermata.ts';
import { freshDatabase, postgresMissing } from '../support/fresh-database.ts';
import { commit, initRepository, sh } from '../work/support/repository.ts';

const CORP = 'https://git.corp/acme/shop.git';
const EVIL = 'https://evil.example/acme/shop.git';

let store: string;
let place: string;

/** A ledger on PostgreSQL, and the first clone of acme/shop with a decision and a task. */
beforeEach(async () => {
  if (postgresMissing) return;
  store = await freshDatabase();
  place = join(freshFolder(), '..');
});

const run = (cwd: string, ...args: string[]) =>
  fermata(args, { cwd, env: { FERMATA_STORE: store, FERMATA_TRUST: undefined } });

async function shop(): Promise<string> {
  const folder = join(place, 'shop');
  initRepository(folder);
  commit(folder, 'first', { 'a.txt': 'a\n' });
  sh(folder, 'remote', 'add', 'origin', CORP);
  expect(await run(folder, 'tasks', 'add', 'Rotate the production key')).toMatchObject({ code: 0 });
  await decide(folder);
  return folder;
}

async function decide(cwd: string): Promise<void> {
  await run(cwd, 'ask', 'Use the internal key server?', '--timeout', '0.1');
  const { stdout } = await run(cwd, 'inbox', '--json');
  const [open] = JSON.parse(stdout).notifications;
  expect(await run(cwd, 'answer', open.id, 'Yes, keys.corp')).toMatchObject({ code: 0 });
}

/** A repository of its own with that remote. */
function stranger(address: string, name = 'stranger'): string {
  const folder = join(place, name);
  initRepository(folder);
  commit(folder, `first of ${name}`, { 'b.txt': 'b\n' });
  sh(folder, 'remote', 'add', 'origin', address);
  return folder;
}

function cloneOf(folder: string, address: string, name: string, ...flags: string[]): string {
  const clone = join(place, name);
  sh(place, 'clone', '-q', ...flags, `file://${folder}`, clone);
  sh(clone, 'remote', 'set-url', 'origin', address);
  return clone;
}

const everything: string[][] = [
  ['decisions', 'list'],
  ['tasks', 'list'],
  ['inbox'],
  ['events'],
  ['trust', '--list'],
  ['ask', 'May I?', '--timeout', '1s'],
  ['draft', 'A shop', '--agent', 'command', '--agent-command', 'cat > prompt.txt'],
  ['run', 'plans/x', '--agent', 'command', '--agent-command', 'cat > prompt.txt'],
  ['mcp'],
];

/** Everything that would read or add something there is refused with this exit code, and nothing leaks. */
async function expectRefused(folder: string, code: number, commands = everything): Promise<void> {
  for (const args of commands) {
    const ended = await run(folder, ...args);
    expect(ended, args.join(' ')).toMatchObject({
      code,
      stderr: expect.stringMatching(/"fermata .*join.*"/),
    });
    expect(ended.stdout + ended.stderr).not.toMatch(/keys\.corp|production/);
  }
  expect(existsSync(join(folder, 'prompt.txt'))).toBe(false);
}

const READ = [['decisions', 'list']];

async function expectJoined(folder: string): Promise<void> {
  const { code, stdout, stderr } = await run(folder, 'decisions', 'list');
  expect({ code, stderr, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('keys.corp') });
}

describe.skipIf(postgresMissing)('BIND-21 a project of a shared ledger is joined, not named', () => {
  test('a repository whose remote has the same owner and name on another host gets nothing', async () => {
    const first = await shop();
    await expectRefused(stranger(EVIL), 2);
    await expectRefused(stranger(CORP, 'same-address'), 2, READ);
    await expectJoined(first);
    const ledger = await openLedger(store, {});
    const [project, ...others] = await ledger.projects.list();
    expect([project?.name, others]).toEqual(['acme/shop', []]);
    expect(await ledger.tasks.list(project?.id ?? '')).toHaveLength(1);
    expect(await ledger.clones.list(project?.id ?? '')).toHaveLength(1);
    await ledger.close();
  });

  test('a fork gets nothing until a person accepts its address, once; the comparison is on the screen and in JSON', async () => {
    const first = await shop();
    const fork = cloneOf(first, EVIL, 'fork');
    await expectRefused(fork, 3);
    const compared = await run(fork, 'project', 'join');
    expect(compared).toMatchObject({ code: 3, stderr: expect.stringContaining('--trust') });
    const root = sh(first, 'rev-parse', 'HEAD');
    for (const shown of ['acme/shop', 'evil.example/acme/shop', 'git.corp/acme/shop', root, `${first}/.git`])
      expect(compared.stdout).toContain(shown);
    const json = await run(fork, 'project', 'join', '--format', 'json');
    expect(json.code).toBe(3);
    expect(JSON.parse(json.stdout)).toMatchObject({
      state: 'needs_yes',
      joined: false,
      project: { name: 'acme/shop' },
      clone: { roots: [root], remote: { repository: 'evil.example/acme/shop' } },
      accepted: [{ address: 'git.corp/acme/shop', roots: [root], by: { actor: { name: 'tester' } } }],
      clones: [{ folder: `${first}/.git` }],
    });
    const byAgent = { FERMATA_STORE: store, FERMATA_AGENT: 'coder', FERMATA_TRUST: '1' };
    expect(await fermata(['project', 'join', '--trust'], { cwd: fork, env: byAgent })).not.toMatchObject({
      code: 0,
    });
    await expectRefused(fork, 3, READ);
    expect(await run(fork, 'project', 'join', '--trust')).toMatchObject({ code: 0 });
    await expectJoined(fork);
    await expectJoined(cloneOf(first, 'git@evil.example:acme/shop.git', 'second-fork'));
    expect(await run(fork, 'project', 'join', '--json')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"state":"joined"'),
    });
  });

  test('another repository cannot join, not even with a yes, but it can be a project of its own', async () => {
    await shop();
    const evil = stranger(EVIL);
    const { code, stdout } = await run(evil, 'project', 'join', '--trust', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([2, { state: 'impossible', joined: false }]);
    expect(await run(evil, 'project', 'join', '--project', 'evil-shop')).toMatchObject({ code: 0 });
    expect(await run(evil, 'tasks', 'add', 'Mine')).toMatchObject({ code: 0 });
    const listed = await run(evil, 'tasks', 'list', '--json');
    expect(JSON.parse(listed.stdout).tasks).toMatchObject([{ title: 'Mine' }]);
  });

  test('clones by ssh and https join without a question, and so do shallow clones', async () => {
    const first = await shop();
    commit(first, 'second', { 'a.txt': 'b\n' });
    await expectJoined(cloneOf(first, 'git@git.corp:acme/shop.git', 'ssh'));
    await expectJoined(cloneOf(first, 'https://ci:token@git.corp:443/acme/shop/', 'ci'));
    await expectRefused(cloneOf(first, 'https://git.corp:8443/acme/shop', 'port'), 3, READ);
    // A shallow clone asks its remote, so this one has to exist.
    const bare = join(place, 'bare/shop.git');
    sh(place, 'clone', '-q', '--bare', first, bare);
    await run(cloneOf(first, bare, 'accepted'), 'project', 'join', '--trust', '--project', 'acme/shop');
    const shallow = cloneOf(bare, bare, 'shallow', '--depth=1');
    const named = (...args: string[]) => run(shallow, ...args, '--project', 'acme/shop');
    expect(await named('tasks', 'add', 'From a shallow clone')).toMatchObject({ code: 0 });
    await expectJoined(shallow);
  });

  test('a person may name a project in a plain folder, and read it anywhere; no file or folder name can', async () => {
    await shop();
    const plain = freshFolder('acme/shop'.replace('/', '-'));
    const asked = { cwd: plain, env: { FERMATA_STORE: store, FERMATA_PROJECT: 'acme/shop' } };
    expect(await fermata(['ask', 'Ready?', '--timeout', '0.1'], asked)).toMatchObject({ code: 3 });
    expect((await fermata(['inbox'], asked)).stdout).toContain('Ready?');
    const evil = stranger(EVIL);
    expect((await run(evil, 'inbox', '--project', 'acme/shop')).stdout).toContain('Ready?');
    await expectRefused(evil, 2, [['ask', 'May I?', '--project', 'acme/shop']]);
    for (const folder of [plain, evil]) {
      writeFileSync(join(folder, 'fermata.config.json'), '{"project":"acme/shop"}');
      const trusting = { cwd: folder, env: { FERMATA_STORE: store, FERMATA_TRUST: '1' } };
      for (const command of [['decisions', 'list'], ['inbox'], ['tasks', 'list']]) {
        const { stdout } = await fermata(command, trusting);
        expect(stdout).toBe('');
      }
    }
  });

  test('a repository whose `project` is trusted cannot choose a known project with it', async () => {
    await shop();
    const evil = stranger('https://evil.example/eve/tool.git');
    writeFileSync(join(evil, 'fermata.config.json'), '{"project":"acme/shop"}');
    const trusting = { cwd: evil, env: { FERMATA_STORE: store, FERMATA_TRUST: '1' } };
    for (const command of [...READ, ['tasks', 'add', 'Leak']]) {
      const { code, stdout } = await fermata(command, trusting);
      expect([code, stdout], command.join(' ')).toEqual([2, '']);
    }
  });

  test('a `.git` from an archive that copies or points to a joined clone does not belong to it', async () => {
    const first = await shop();
    const folders = ['copied', 'linked', 'pointing', 'common', 'worktree'].map((name) =>
      stranger(EVIL, name),
    );
    const [copied = '', linked = '', pointing = '', common = '', worktree = ''] = folders;
    const git = join(first, '.git');
    cpSync(join(git, 'fermata-clone'), join(copied, '.git/fermata-clone'));
    for (const folder of [linked, pointing, worktree]) rmSync(join(folder, '.git'), { recursive: true });
    symlinkSync(git, join(linked, '.git'));
    writeFileSync(join(pointing, '.git'), `gitdir: ${git}\n`);
    writeFileSync(join(common, '.git/commondir'), `${git}\n`);
    writeFileSync(join(common, '.git/gitdir'), `${join(common, '.git')}\n`);
    const tree = join(place, 'tree');
    sh(first, 'worktree', 'add', '-q', tree);
    cpSync(join(tree, '.git'), join(worktree, '.git'));
    await expectJoined(tree);
    for (const folder of folders) {
      const { code, stdout, stderr } = await run(folder, 'decisions', 'list');
      expect([code, stdout], `${folder}: ${stderr}`).toEqual([2, '']);
    }
    await expectJoined(first);
  });

  test('a configuration that rewrites the address changes nothing, and neither does one changed later', async () => {
    const first = await shop();
    const rewritten = cloneOf(first, EVIL, 'rewritten');
    appendFileSync(
      join(rewritten, '.git/config'),
      `[url "${CORP}"]\n\tinsteadOf = ${EVIL}\n[remote "origin"]\n\tpushurl = ${CORP}\n`,
    );
    await expectRefused(rewritten, 3, READ);
    sh(first, 'remote', 'set-url', 'origin', EVIL);
    mkdirSync(join(first, 'plans/x'), { recursive: true });
    await expectJoined(first);
    await expectRefused(first, 3, [['draft', 'A shop', '--queue']]);
  });

  test('the library and the hub ask the same rule', async () => {
    const first = await shop();
    const fork = cloneOf(first, EVIL, 'fork');
    const ledger = await openLedger(store, {});
    try {
      const at = (cwd: string) =>
        openContext(ledger, { cwd, name: 'Ada', store, env: { FERMATA_HOME: place } });
      expect((await (await at(first)).project()).name).toBe('acme/shop');
      for (const cwd of [fork, stranger(EVIL)]) {
        const context = await at(cwd);
        await expect(context.project()).rejects.toThrow(/acme\/shop/);
        expect(context.settings.config).toEqual({});
      }
    } finally {
      await ledger.close();
    }
  });

  test('with a ledger in a file there is nothing to join', async () => {
    const folder = stranger(CORP);
    const { code, stderr } = await fermata(['project', 'join'], { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining('own project')]);
    expect(readFileSync(join(folder, '.git/config'), 'utf8')).toContain(CORP);
  });
});
