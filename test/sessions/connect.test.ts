import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CLAUDE_NOW, type RealCliName, realCli } from '../agents/clis/real-cli.ts';
import { fermata, freshFolder } from '../support/fermata.ts';
import { claudeHome } from '../support/model/cli-home.ts';

/** A person with settings in a format of their own. */
async function person(name: RealCliName, skip: (note: string) => never) {
  const claude = await realCli(name, skip);
  const { home, env, remove } = claudeHome('http://127.0.0.1:1');
  onTestFinished(remove);
  mkdirSync(join(home, '.claude'));
  writeFileSync(join(home, '.claude/settings.json'), '{\n\t"env": { "A": "b" } }');
  const PATH = [dirname(claude), env.PATH].join(delimiter);
  const options = { env: { ...env, PATH, FERMATA_HOME: freshFolder() } };
  return { home, connect: (...args: string[]) => fermata(['connect', ...args], options), options };
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path, 'utf8')])
    .sort();

it.for(CLAUDE_NOW)(
  '%s is connected, and --undo leaves every file as it was (CLI-connect, SES-1)',
  async (name, { skip }) => {
    const { home, connect } = await person(name, skip);
    const before = filesIn(home);
    expect(await connect()).toMatchObject({ code: 0, stdout: expect.stringContaining('Connected claude.') });
    expect(filesIn(home)).not.toEqual(before);
    expect(await connect('claude', '--json')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('{"name":"claude","connected":true}'),
    });
    expect(await connect('--undo')).toMatchObject({ code: 0, stdout: 'Disconnected claude.\n' });
    expect(filesIn(home)).toEqual(before);
  },
);

it('--undo keeps what the person changed since (SES-1)', async ({ skip }) => {
  const { home, connect } = await person(CLAUDE_NOW.at(-1) ?? 'claude-2.1.325', skip);
  await connect();
  const settings = join(home, '.claude/settings.json');
  writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, 'utf8')), language: 'de' }));
  await connect('--undo');
  const { env, language, enabledPlugins } = JSON.parse(readFileSync(settings, 'utf8'));
  expect({ env, language, enabledPlugins }).toEqual({ env: { A: 'b' }, language: 'de', enabledPlugins: {} });
});

it('says what it can connect, and what is missing (CLI-connect)', async () => {
  expect(await fermata(['connect', 'vim'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('claude'),
  });
  const nothing = { env: { PATH: dirname(process.execPath) } };
  expect(await fermata(['connect'], nothing)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('npm install'),
  });
});
