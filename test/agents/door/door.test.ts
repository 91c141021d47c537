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

describe('BIND-20 the door and hostile connections', () => {
  const works = async (pass: Pass) => (await call(pass, hello(pass, ['--version']))).x === '0';

  it.each([
    ['a NUL in a word', ['inbox', '\0x'], 'NUL'],
    ['too many words', Array(10_001).fill('x'), '10000 words'],
    ['a word longer than the system takes', ['ask', 'x'.repeat(200_000)], 'arguments are too long'],
  ])('%s is refused with one sentence', async (_, words, sentence) => {
    const pass = await admit();
    expect(await call(pass, hello(pass, words))).toEqual({ r: expect.stringContaining(sentence), x: '1' });
    expect(await works(pass)).toBe(true);
  });

  it.each([
    ['of an unknown kind', frame('?', 'x')],
    ['that announces 4 GB', frame('i').fill(0xff, 1)],
  ])('a frame %s ends the command that it belongs to, and nothing else', async (_, broken) => {
    const pass = await admit();
    const other = connect(socketOf(pass));
    other.write(hello(pass, ['mcp']));
    expect(await call(pass, hello(pass, ['mcp']), broken)).toMatchObject({ x: '1' });
    other.write(frame('i', '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'));
    const [reply] = await once(other, 'data');
    expect(String(reply)).toContain('"id":1');
    other.destroy();
  });

  it('a flood of silent connections shuts the door neither for its own agent nor for another', async () => {
    const door = new Door(env);
    const [pass, other] = [await admit(door), await admit(door)];
    const silent = Array.from({ length: 300 }, () => connect(socketOf(pass)));
    for (const socket of silent) socket.on('error', () => undefined);
    onTestFinished(() => {
      for (const socket of silent) socket.destroy();
    });
    await once(silent.at(-1) as Socket, 'connect');
    expect([await works(pass), await works(other)]).toEqual([true, true]);
  });

  it('a connection that sends no pass ends after a second, and one whose client does not close it too', async () => {
    const pass = await admit();
    const silent = connect({ path: socketOf(pass), allowHalfOpen: true });
    const forged = connect({ path: socketOf(pass), allowHalfOpen: true });
    forged.write(hello(pass, ['--version'], 'x'));
    const gone = [silent, forged].map(
      (socket) => new Promise((resolve) => socket.resume().once('error', resolve)),
    );
    // A write is the only way to notice that the other side no longer listens.
    const write = setInterval(() => [silent, forged].map((socket) => socket.write('x')), 100);
    const begun = performance.now();
    await Promise.all(gone);
    clearInterval(write);
    expect(performance.now() - begun).toBeLessThan(3000);
  });

  it('clients that never read use up only the share of their own agent', async () => {
    const door = new Door(env);
    const [pass, other] = [await admit(door), await admit(door)];
    const deaf = Array.from({ length: 33 }, () => {
      const socket = connect({ path: socketOf(pass), allowHalfOpen: true });
      socket.write(hello(pass, ['no-such-command']));
      return socket.pause();
    });
    onTestFinished(() => {
      for (const socket of deaf) socket.destroy();
    });
    await expect
      .poll(async () => (await call(pass, hello(pass, ['--version']))).r)
      .toContain('already running 32');
    expect(await works(other)).toBe(true);
    for (const socket of deaf) socket.destroy();
    await expect.poll(() => works(pass), { timeout: 10_000 }).toBe(true);
  });

  it('reads a megabyte of tiny frames in time that grows with their number', async () => {
    const reader = new FrameReader();
    const tiny = Buffer.concat(Array(200_000).fill(frame('e')));
    const begun = performance.now();
    expect([...reader.push(tiny)]).toHaveLength(200_000);
    expect(performance.now() - begun).toBeLessThan(2000);
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
