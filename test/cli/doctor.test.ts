import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, test } from 'vitest';
import { abstractSockets, judgeNetwork } from '../../src/cli/commands/doctor.ts';
import { fermata, freshFolder, startFermata } from '../support/fermata.ts';
import { give, unprivileged } from '../support/postgres-account.ts';
import { isRunning } from '../support/processes.ts';

/** A project with a home and a PATH of its own, on which the given scripts are. */
function place(programs: Record<string, string> = {}) {
  const cwd = freshFolder();
  const bin = join(cwd, '..', 'bin');
  mkdirSync(bin);
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const home = join(cwd, '..', 'home');
  return { cwd, bin, home, env: { FERMATA_HOME: home, PATH: bin } };
}

type Place = ReturnType<typeof place>;

interface Check {
  name: string;
  status: string;
  detail: string;
  fix?: string;
}

async function doctor(at: Place, ...args: string[]) {
  const { code, stdout } = await fermata(['doctor', '--json', ...args], at);
  const { ok, checks }: { ok: boolean; checks: Check[] } = JSON.parse(stdout);
  return { code, ok, checks, check: (name: string) => checks.find((check) => check.name === name) };
}

const git = { git: 'echo git version 2.50.1' };

describe('CLI-doctor', () => {
  test('CLI-EXIT-0 versions are shown; a missing gh or agent is a warning that says how to install it', async () => {
    const at = place({ ...git, claude: 'echo "2.1.197 (Claude Code)"', codex: 'echo codex-cli 0.166.0 >&2' });
    const { code, ok, checks, check } = await doctor(at);
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(check('node')).toMatchObject({ status: 'ok', detail: process.version });
    expect(check('git')).toMatchObject({ status: 'ok', detail: `2.50.1 (${join(at.bin, 'git')})` });
    expect(check('claude')).toMatchObject({ status: 'ok', detail: expect.stringContaining('2.1.197') });
    expect(check('codex')).toMatchObject({ status: 'ok', detail: expect.stringContaining('0.166.0') });
    for (const name of ['gh', 'gemini']) {
      expect(check(name)).toMatchObject({
        status: 'warning',
        detail: 'not found on the PATH',
        fix: expect.any(String),
      });
    }
    expect(check('ledger')).toMatchObject({ status: 'ok', detail: expect.stringContaining('version ') });
    expect(check('ledger mode')).toMatchObject({ status: 'ok' });
    expect(check('disk')).toBeDefined();
    expect(checks.map((each) => each.status)).not.toContain('error');
  });

  test('names only agents that Fermata can drive', async () => {
    const { checks } = await doctor(place(git));
    const agents = checks
      .slice(
        3,
        checks.findIndex(({ name }) => name === 'platform'),
      )
      .map(({ name }) => name);
    expect(agents).toEqual(['claude', 'codex', 'gemini']);
    const help = (await fermata(['review', '--help'])).stdout.replace(/\s+/g, ' ');
    expect(help).toContain(`the reviewer: ${agents.join(', ')}`);
  });

  test('BIND-18 says whether a sandbox holds here, and which sockets of other programs it leaves in reach', async () => {
    const { check } = await doctor(place(git));
    if (process.platform === 'linux')
      expect(check('sandbox')).toMatchObject({
        status: 'warning',
        fix: expect.stringContaining('bubblewrap'),
      });
    else expect(check('sandbox')).toBeUndefined();
    const table = `Num RefCount Protocol Flags Type St Inode Path
0000: 00000002 00000000 00010000 0001 01 1 @/tmp/.X11-unix/X0
0000: 00000002 00000000 00010000 0001 01 2 /run/docker.sock
0000: 00000003 00000000 00000000 0001 03 3 @connected
0000: 00000003 00000000 00000000 0001 03 4
`;
    expect(abstractSockets(table)).toEqual(['@/tmp/.X11-unix/X0']);
    expect(judgeNetwork(['@/tmp/.X11-unix/X0'])).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('X0'),
    });
    expect(judgeNetwork([])).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('shares the network'),
    });
  });

  test('people get one line per check with a mark, and how to fix it below', async () => {
    const at = place(git);
    const warnings = (await doctor(at)).checks.filter(({ status }) => status === 'warning');
    const { code, stdout, stderr } = await fermata(['doctor'], at);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^✓ node +v\d/);
    expect(stdout).toMatch(/\n! claude +not found on the PATH\n +→ To work with Claude Code: npm install -g/);
    expect(stderr).toBe(`\nNothing is broken, ${warnings.length} warnings.\n`);
  });

  test('CLI-EXIT-1 asks for an update of a git that is too old to merge without touching files', async () => {
    const { code, check } = await doctor(place({ git: 'echo git version 2.37.9' }));
    expect({ code, git: check('git') }).toMatchObject({
      code: 1,
      git: { status: 'error', detail: '2.37.9 is too old', fix: expect.stringContaining('2.38') },
    });
  });

  test('CLI-EXIT-1 a missing git must be fixed', async () => {
    const { code, ok, check } = await doctor(place());
    expect({ code, ok }).toEqual({ code: 1, ok: false });
    expect(check('git')).toMatchObject({ status: 'error', fix: expect.stringContaining('Install git') });
  });

  test('a program that hangs is given up after five seconds, with everything that it started', async () => {
    const at = place({ ...git, gemini: '/bin/sleep 300 & echo $! > "$PATH/pid"; wait' });
    const begin = Date.now();
    const { code, check } = await doctor(at);
    expect(Date.now() - begin).toBeLessThan(9000);
    expect(code).toBe(0);
    expect(check('gemini')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('within 5 s'),
    });
    expect(isRunning(Number(readFileSync(join(at.bin, 'pid'), 'utf8')))).toBe(false);
  });

  test('CLI-EXIT-130 Ctrl-C ends it and what it started at once', async () => {
    const at = place({ ...git, gemini: 'echo $$ > "$PATH/pid"; exec /bin/sleep 300' });
    const running = startFermata(['doctor'], at);
    await expect
      .poll(() => (existsSync(join(at.bin, 'pid')) ? readFileSync(join(at.bin, 'pid'), 'utf8') : ''))
      .toMatch(/\d\n/);
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
    expect(isRunning(Number(readFileSync(join(at.bin, 'pid'), 'utf8')))).toBe(false);
  });

  test('a program that fails is reported with its message, and control characters in it are made visible (BIND-11)', async () => {
    const at = place({ ...git, codex: `printf '\\033[31mcannot start\\n'; exit 7` });
    const { stdout } = await fermata(['doctor'], at);
    expect(stdout).toContain('codex --version ended with 7: ␛[31mcannot start');
    expect(stdout).not.toContain('\u001b');
  });

  test('a program in a relative folder of the PATH is not run', async () => {
    const at = place(git);
    writeFileSync(join(at.cwd, 'claude'), '#!/bin/sh\necho 1.0.0; echo > ran\n', { mode: 0o755 });
    const { check } = await doctor({ ...at, env: { ...at.env, PATH: `.:${at.bin}` } });
    expect(check('claude')).toMatchObject({ status: 'warning', detail: 'not found on the PATH' });
    expect(existsSync(join(at.cwd, 'ran'))).toBe(false);
  });

  test('a fermata.config.json that is not valid breaks nothing, and is a warning with its place (BIND-25)', async () => {
    const at = place(git);
    writeFileSync(join(at.cwd, 'fermata.config.json'), '{"hilConfig": "half"}');
    const { code, check } = await doctor(at);
    expect(code).toBe(0);
    expect(check('config')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('"half" is not allowed'),
    });
    expect(check('ledger')).toMatchObject({ status: 'ok' });
  });

  test('a broken configuration is reported as its own error', async () => {
    const at = place(git);
    const { code, check } = await doctor(at, '--store', 'mysql://db/x');
    expect(code).toBe(1);
    expect(check('config')).toMatchObject({
      status: 'error',
      detail: expect.stringContaining('not mysql://'),
    });
    expect(check('ledger')).toMatchObject({ status: 'warning' });
    expect(existsSync(join(at.home, 'ledger.db'))).toBe(false);
  });

  test('a ledger that others may read is a warning with the command that fixes it', async () => {
    const at = place(git);
    await fermata(['tasks', 'add', 'x'], at);
    const file = join(at.home, 'ledger.db');
    chmodSync(file, 0o644);
    const { code, check } = await doctor(at);
    expect(code).toBe(0);
    expect(check('ledger mode')).toMatchObject({ status: 'warning', fix: `chmod 600 ${file}` });
  });

  test('checking leaves the ledger as it was', async () => {
    const at = place(git);
    await fermata(['tasks', 'add', 'x'], at);
    const state = async () => [
      (await fermata(['events', '--json'], at)).stdout,
      (await fermata(['tasks', 'list', '--json'], at)).stdout,
    ];
    const before = await state();
    expect((await doctor(at)).check('ledger')).toMatchObject({ status: 'ok' });
    expect(await state()).toEqual(before);
  });

  test('a ledger of a newer version, or none at all, is an error line', async () => {
    const at = place(git);
    const newer = join(at.cwd, 'newer.db');
    newerLedger(newer);
    const { code, check } = await doctor(at, '--store', newer);
    expect(code).toBe(1);
    expect(check('ledger')).toMatchObject({
      status: 'error',
      detail: expect.stringContaining('has version 99'),
    });
    writeFileSync(
      join(at.cwd, 'text.db'),
      'this is no ledger, but long enough to look like something'.repeat(20),
    );
    expect((await doctor(at, '--store', 'text.db')).check('ledger')).toMatchObject({ status: 'error' });
  });
});

describe('CLI-EXIT-2 a ledger that this program does not understand', () => {
  test('one of a newer version is refused and not changed', async () => {
    const at = place();
    const newer = join(at.cwd, 'newer.db');
    newerLedger(newer);
    const before = readFileSync(newer);
    const { code, stdout, stderr } = await fermata(['tasks', 'add', 'x', '--store', newer, '--json'], at);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /has version 99; this Fermata supports versions up to \d+\. Nothing was changed\. Install the newest/,
    );
    expect(JSON.parse(stdout).error.code).toBe('newer_schema');
    expect(readFileSync(newer).equals(before)).toBe(true);
  });
});

describe('CLI-EXIT-1 a store that cannot be written', () => {
  const account = unprivileged();
  const root = process.getuid?.() === 0;

  test('is reported with the place and what to do, also by the doctor', async () => {
    const at = place(git);
    mkdirSync(at.home, { mode: 0o555 });
    if (root) give(at.cwd, account);
    chmodSync(join(at.cwd, '..'), 0o755);
    chmodSync(join(at.cwd, '../..'), 0o755);
    const as = { ...at, account };
    const { code, stdout, stderr } = await fermata(['tasks', 'add', 'x'], as);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`Cannot write the ledger at ${join(at.home, 'ledger.db')}`);
    expect(stderr).toContain('FERMATA_HOME');
    const checked = await fermata(['doctor', '--json'], as);
    expect(checked.code).toBe(1);
    const { checks }: { checks: Check[] } = JSON.parse(checked.stdout);
    expect(checks.find(({ name }) => name === 'ledger')).toMatchObject({ status: 'error' });
  });
});

function newerLedger(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('pragma application_id = 1178948173; pragma user_version = 99'); // as `sqlite.ts` marks a ledger
  database.close();
}
