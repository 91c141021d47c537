import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { Door, type Pass } from '../../../src/agents/door/door.ts';
import { FrameReader, frame } from '../../../src/agents/door/frames.ts';
import { shareCode } from '../../support/fermata.ts';

const place = mkdtempSync(join(tmpdir(), 'fermata-test-'));
const home = join(place, 'home');
shareCode(home);
afterAll(() => rmSync(place, { recursive: true, force: true }));

const env = { ...process.env, FERMATA_HOME: home, FERMATA_TASK: 'of-the-caller', FERMATA_QA_PIPE: '1' };

async function admit(door = new Door(env)): Promise<Pass> {
  const pass = await door.admit({ projectId: 'p-000000000000', agent: 'command', cwd: place }, '/bin');
  onTestFinished(() => pass.revoke());
  return pass;
}

const socketOf = ({ env: { FERMATA_DOOR = '' } }: Pass) => FERMATA_DOOR.slice('unix:'.length);

function hello(pass: Pass, words: string[], token = pass.env.FERMATA_PASS): Buffer {
  return frame('h', JSON.stringify({ token, words, cwd: place }));
}

/** Everything that comes back, by its kind. */
async function answers(socket: Socket): Promise<Record<string, string>> {
  const reader = new FrameReader();
  const said: Record<string, string> = {};
  socket.on('data', (piece) => {
    for (const { kind, content } of reader.push(piece)) said[kind] = (said[kind] ?? '') + content.toString();
  });
  await once(socket, 'close');
  return said;
}

async function call(pass: Pass, ...frames: Buffer[]): Promise<Record<string, string>> {
  const socket = connect(socketOf(pass));
  for (const each of frames) socket.write(each);
  return answers(socket);
}

describe('BIND-14 the door', () => {
  it('gives an agent an address, a pass and our commands, but not the location of the ledger', async () => {
    const { env: given } = await admit();
    expect(Object.keys(given).sort()).toEqual(['FERMATA_DOOR', 'FERMATA_PASS', 'PATH']);
    expect(given.PATH).toMatch(/fermata-door-\w+\/bin:\/bin$/);
    expect(JSON.stringify(given)).not.toContain(home);
  });

  it('runs a command for anyone with a pass, and returns its output and exit code', async () => {
    const said = await call(await admit(), hello(await admit(), ['--version']));
    expect(said).toMatchObject({ x: '1', r: expect.stringContaining('FERMATA_PASS is not valid') });
    const pass = await admit();
    expect(await call(pass, hello(pass, ['--version']), frame('e'))).toEqual({ o: '0.1.0\n', x: '0' });
    expect(await call(pass, hello(pass, ['no-such-command']))).toMatchObject({ x: '2' });
  });

  it('a revoked pass no longer works, and its commands end', async () => {
    const door = new Door(env);
    const stays = await admit(door);
    const pass = await door.admit({ projectId: 'p-000000000000', agent: 'a', cwd: place }, undefined);
    const socket = connect(socketOf(pass));
    socket.write(hello(pass, ['mcp']));
    const said = answers(socket);
    socket.write(frame('i', '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'));
    await once(socket, 'data');
    await pass.revoke();
    await said;
    expect(await call(stays, hello(pass, ['--version']))).toMatchObject({ x: '1' });
    expect(await call(stays, hello(stays, ['--version']))).toMatchObject({ x: '0' });
  });

  it('closes and removes itself when nobody has a pass any more', async () => {
    const door = new Door(env);
    const pass = await door.admit({ projectId: 'p', agent: 'a', cwd: place }, undefined);
    const folder = dirname(socketOf(pass));
    expect(existsSync(folder)).toBe(true);
    await pass.revoke();
    expect(existsSync(folder)).toBe(false);
  });

  it.each([
    ['what is no greeting', frame('i', 'x')],
    ['a greeting that is not JSON', frame('h', '{')],
    ['a greeting of another shape', frame('h', '{"token":1}')],
  ])('%s is refused with one sentence', async (_, sent) => {
    expect(await call(await admit(), sent)).toEqual({
      r: 'fermata: FERMATA_PASS is not valid. Its agent has ended, or it is forged.\n',
      x: '1',
    });
  });

  it('refuses a request that is too long before it reads it', async () => {
    const head = frame('h').fill(0xff, 1);
    expect(await call(await admit(), head)).toEqual({
      r: 'fermata: This command is too long. Shorten it.\n',
      x: '1',
    });
  });

  it('listens on a port of this machine if the socket path would be too long, and our command finds it', async () => {
    const long = join(place, 'l'.repeat(120));
    mkdirSync(long);
    const before = process.env.TMPDIR;
    onTestFinished(() => {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    });
    process.env.TMPDIR = long;
    const { env: given } = await admit();
    expect(given.FERMATA_DOOR).toMatch(/^tcp:127\.0\.0\.1:\d+$/);
    const run = (token = given.FERMATA_PASS) =>
      promisify(execFile)('fermata', ['--version'], {
        env: { ...process.env, ...given, FERMATA_PASS: token },
      });
    expect((await run()).stdout).toBe('0.1.0\n');
    await expect(run('forged')).rejects.toThrow('FERMATA_PASS is not valid');
  });

  it('refuses further silent connections once there are too many', async () => {
    const pass = await admit();
    const silent = Array.from({ length: 64 }, () => connect(socketOf(pass)));
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    expect(await call(pass)).toMatchObject({ r: expect.stringContaining('Too many connections'), x: '1' });
    for (const socket of silent) socket.destroy();
    await expect.poll(async () => (await call(pass, hello(pass, ['--version']))).x).toBe('0');
  });

  it('removes what a killed run left, but not the door of another run', async () => {
    const other = await admit();
    const stale = mkdtempSync(join(tmpdir(), 'fermata-door-'));
    onTestFinished(() => rmSync(stale, { recursive: true, force: true }));
    mkdirSync(join(stale, 'bin'));
    await leaveSocket(join(stale, 'door'));
    const young = mkdtempSync(join(tmpdir(), 'fermata-door-'));
    onTestFinished(() => rmSync(young, { recursive: true, force: true }));
    await leaveSocket(join(young, 'door'));
    const before = new Date(Date.now() - 60_000);
    utimesSync(stale, before, before);
    await admit();
    expect(existsSync(stale)).toBe(false);
    expect(existsSync(young)).toBe(true);
    expect(existsSync(socketOf(other))).toBe(true);
  });
});

/** A socket nobody listens at, as after kill -9. */
async function leaveSocket(path: string): Promise<void> {
  const listens = `require('net').createServer().listen(${JSON.stringify(path)}, () => console.log('up'))`;
  const child = spawn(process.execPath, ['-e', listens], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
}
