import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { request } from '../../hub/support/hub.ts';
import { fermata, freshFolder, startFermata } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { planRepository } from './support/plan-repository.ts';

const LIMIT = 120_000;
const PATIENT = { timeout: LIMIT / 2, interval: 500 };

/** What the agent of phase 1 does at its door, while the agent of phase 2 works. */
const ATTACK = `
const { execFileSync } = require('node:child_process');
const net = require('node:net');
const { FERMATA_DOOR: door, FERMATA_PASS: token } = process.env;
const frame = (kind, content) => {
  const head = Buffer.alloc(5);
  head.write(kind);
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, Buffer.from(content)]);
};
const connect = () => net.connect(door.replace(/^unix:/, '')).on('error', () => undefined);
const hello = (words) => frame('h', JSON.stringify({ token, words, cwd: process.cwd() }));
async function send(...frames) {
  const socket = connect();
  for (const each of frames) socket.write(each);
  let said = '';
  socket.on('data', (chunk) => (said += chunk));
  await new Promise((resolve) => socket.once('close', resolve));
  return said;
}
(async () => {
  const huge = Buffer.from([...Buffer.from('i'), 0x40, 0, 0, 0]);
  const said = [
    await send(hello(['inbox', '\\0x'])),
    await send(hello(['inbox', 'x'.repeat(200000)])),
    await send(hello(['mcp']), huge),
    await send(Buffer.from([0xff, 0xfe, 0, 0, 0, 0, 1, 2, 3])),
  ];
  for (let i = 0; i < 200; i++) connect();
  execFileSync('fermata', ['inbox']);
  console.log(JSON.stringify(said));
  process.exit();
})();
`;

/** Two phases at once: the first agent attacks, and only then the second uses its own door. */
function hostilePlace() {
  const cwd = freshFolder('shop');
  const at = (name: string) => join(cwd, '..', name);
  const attack = `'${process.execPath}' '${at('attack.cjs')}' > '${at('said')}'; touch '${at('attacked')}'`;
  const waits = `for i in $(seq 600); do [ -e '${at('attacked')}' ] && break; sleep 0.1; done`;
  const asks = (name: string) => `fermata plan status > '${at(name)}'`;
  const place = planRepository(
    [
      { id: '1', steps: [{ do: 'run', command: `${attack}; ${asks('status-1')}` }] },
      { id: '2', steps: [{ do: 'run', command: `${waits}; ${asks('status-2')}` }] },
    ],
    {},
    cwd,
  );
  writeFileSync(at('attack.cjs'), ATTACK);
  const isDone = async () => {
    const { stdout } = await fermata(['tasks', 'list', '--json'], place.at);
    const tasks = JSON.parse(stdout).tasks as { status: string }[];
    expect(tasks.map(({ status }) => status)).toEqual(['closed', 'closed']);
    expect(JSON.parse(readFileSync(at('said'), 'utf8'))).toEqual(refused);
    for (const name of ['status-1', 'status-2']) expect(readFileSync(at(name), 'utf8')).not.toBe('');
  };
  return { ...place, isDone };
}

const refused = [
  expect.stringContaining('NUL'),
  expect.stringContaining('arguments are too long'),
  expect.stringContaining('too long'),
  expect.any(String),
];

test(
  'BIND-20 whatever one agent sends to its door, the run and the agent of the other phase go on',
  async () => {
    const place = hostilePlace();
    const ran = await place.run('--no-review', '--parallel', '2');
    expect(ran.code, ran.stderr).toBe(0);
    await place.isDone();
  },
  LIMIT,
);

longTest(
  'BIND-20 and so do a worker and the agent in its other slot',
  async () => {
    const place = hostilePlace();
    const queued = await place.run('--no-review', '--queue', '--trust');
    expect(queued.code, queued.stderr).toBe(0);
    const worker = startFermata(['worker', '--slots', '2', '--can', 'scripted'], place.at);
    await vi.waitFor(place.isDone, PATIENT);
    worker.child.kill('SIGINT');
    expect((await worker.ended).code).toBe(0);
  },
  LIMIT,
);

longTest(
  'BIND-20 and so does a hub that runs the plan',
  async () => {
    const place = hostilePlace();

    const hub = startFermata(['serve', '--port', '0', '--format', 'json'], place.at);
    const { url, token } = JSON.parse((await hub.shows(/\n/)).split('\n')[0] ?? '');
    const call = (method: string, path: string, body?: unknown) =>
      request(url + path, method, body, { authorization: `Bearer ${token}` });
    const { id } = (await call('GET', '/projects')).body.data[0];
    const start = () => call('POST', `/projects/${id}/plans/shop/run`, { agent: 'scripted', parallel: 2 });
    const [question] = (await start()).body.error.details.notifications;
    await call('PATCH', `/projects/${id}/notifications/${question}`, { approved: true });
    expect((await start()).status).toBe(201);
    await vi.waitFor(place.isDone, PATIENT);
    hub.child.kill('SIGINT');
    expect((await hub.ended).code).toBe(0);
  },
  LIMIT,
);
