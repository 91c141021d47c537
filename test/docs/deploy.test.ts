import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { missingSandbox } from '../../src/agents/sandbox/require-sandbox.ts';
import { request } from '../hub/support/hub.ts';
import { freshFolder, startFermata } from '../support/fermata.ts';
import { freshDatabase } from '../support/fresh-database.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const read = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');

interface Service {
  command?: string[];
  environment?: Record<string, string>;
  build?: { context: string; dockerfile: string };
  depends_on?: Record<string, unknown>;
  volumes?: string[];
}

const compose = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, Service> };
/** The lines `name=value` of a unit, by section. */
const unit = (name: string) =>
  new Map(
    read(name)
      .split(/^\[/m)
      .slice(1)
      .map((section) => {
        const [title = '', ...lines] = section.split('\n');
        const pairs = lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s));
        return [title.replace(']', ''), new Map(pairs.map(([key = '', value = '']) => [key, value]))];
      }),
  );

const commands: [string, string[]][] = [
  ...(['hub', 'worker'] as const).map((name): [string, string[]] => [
    `compose ${name}`,
    compose.services[name]?.command ?? [],
  ]),
  ...['fermata-hub.service', 'fermata-worker.service'].map((name): [string, string[]] => {
    const [program = '', ...args] = (unit(name).get('Service')?.get('ExecStart') ?? '').split(' ');
    expect(program).toBe('/usr/local/bin/fermata');
    return [name, args];
  }),
];

it.each(commands)('TEAM-8 the command of %s runs, and a stop ends it well', async (_, command) => {
  const store = await freshDatabase();
  const env = {
    ...{ FERMATA_STORE: store, FERMATA_HOME: join(freshFolder(), 'home'), FERMATA_LOG: 'json' },
    ...(command[0] === 'worker' && !missingSandbox(process.env) ? { FERMATA_SANDBOX: '1' } : {}),
  };
  const args = command.map((word) =>
    word === '4777' ? '0' : word === '0.0.0.0' ? '127.0.0.1' : word.replace(/^\$\{PUBLIC_URL:-(.*)\}$/, '$1'),
  );
  const running = startFermata([...args, '--format', 'json'], { env });
  if (args[0] === 'serve') {
    const [line = ''] = (await running.shows(/\n/)).split('\n');
    const { url, token } = JSON.parse(line) as { url: string; token: string };
    expect(
      (await request(`${url}/healthz`, 'GET', undefined, { authorization: `Bearer ${token}` })).status,
    ).toBe(200);
  } else await once(running.child.stderr ?? running.child, 'data');
  running.child.kill('SIGTERM');
  const { code, stderr } = await running.ended;
  expect(code, stderr).toBe(0);
  for (const told of stderr.trimEnd().split('\n')) expect(JSON.parse(told)).toHaveProperty('message');
});

it('TEAM-8 BIND-24 the compose file names a database, services that build from here and have a role each, and no password', () => {
  const { database, tables, hub, worker } = compose.services;
  expect(database?.volumes).toContainEqual(expect.stringContaining('./roles.sql:'));
  expect(tables?.command).toEqual(['ledger', 'roles', '--apply']);
  const roles = Object.entries({ fermata: tables, fermata_hub: hub, fermata_worker: worker });
  for (const [role, service] of roles) {
    expect(service?.environment?.FERMATA_STORE).toMatch(
      new RegExp(`^postgres://${role}:\\$\\{(?:DB|HUB|WORKER)_PASSWORD\\}@database/fermata$`),
    );
    expect(existsSync(join(DEPLOY, service?.build?.context ?? '', service?.build?.dockerfile ?? '?'))).toBe(
      true,
    );
    expect(service?.depends_on).toHaveProperty(service === tables ? 'database' : 'tables');
  }
  for (const [role] of roles.slice(1)) expect(read('roles.sql')).toContain(`create role ${role} login`);
});

it('BIND-24 workers start with the sandbox on', () => {
  expect(compose.services.worker?.environment?.FERMATA_SANDBOX).toBe('1');
  const service = unit('fermata-worker.service').get('Service');
  expect(service?.get('Environment')?.split(' ')).toContain('FERMATA_SANDBOX=1');
  expect(service?.get('User'), 'not the hub’s').not.toBe(
    unit('fermata-hub.service').get('Service')?.get('User'),
  );
});

it('TEAM-3 TEAM-8 a container that is recreated keeps its name and its sessions, because its whole home is a volume', () => {
  const { hub, worker } = compose.services;
  for (const service of [hub, worker]) {
    expect(service?.volumes).toEqual([expect.stringMatching(/^\w+:\/home\/node$/)]);
    expect(service?.environment?.FERMATA_HOME).toMatch(/^\/home\/node\//);
  }
});

it('TEAM-8 the units keep secrets in a separate file and give agents time to save sessions at a stop', () => {
  for (const kind of ['hub', 'worker']) {
    const name = `fermata-${kind}.service`;
    const service = unit(name).get('Service');
    expect(service?.get('EnvironmentFile')).toBe(`/etc/fermata/${kind}`);
    expect(Number(service?.get('TimeoutStopSec'))).toBeGreaterThanOrEqual(60);
    expect(read(name)).not.toMatch(/postgres:\/\/\S+:\S+@/);
  }
});
