import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Notification } from '../../../src/schema/notification.ts';
import { asked } from '../../support/asked.ts';
import { BIN, fermata, startFermata } from '../../support/fermata.ts';
import { spread } from '../../support/long.ts';
import { longTest } from '../../support/long-test.ts';
import { unprivileged } from '../../support/postgres-account.ts';
import { type PlanRepository, planRepository } from './support/plan-repository.ts';

const LONG = 240_000;

const secrets = {
  FERMATA_NOTIFY_WEBHOOK: 'https://hooks.example/zq7secret',
  FERMATA_NTFY_TOKEN: 'zq7ntfy',
  PGPASSWORD: 'zq7password',
  GITHUB_TOKEN: 'zq7github',
  SSH_AUTH_SOCK: '/tmp/zq7agent',
};

/** A run of two phases with one agent program; `home` may be named in its text. */
function runWith(text: string, env: Record<string, string> = {}) {
  const place = planRepository([{ id: '1', gate: 'env > ../gate-env && test -d .' }, { id: '2' }], env);
  const folder = join(place.cwd, '..');
  const program = join(folder, 'agent.sh');
  writeFileSync(program, `#!/bin/sh\ncat > /dev/null\nout='${folder}'\n${text}`, { mode: 0o755 });
  const args = ['run', 'plans/shop', '--agent', 'command', '--agent-command', program];
  return { place, folder, args, read: (name: string) => readFileSync(join(folder, name), 'utf8') };
}

const askedFor = (place: PlanRepository, text: string): Promise<Notification> =>
  asked(place.at, ({ questions }) => questions[0]?.text === text);

test(
  'an agent and a gate command get no store, password or token from the environment (BIND-14)',
  async () => {
    const { place, args, read } = runWith(
      `env > "$out/agent-env"\nfermata plan status > "$out/status.json" || exit 1\necho '{"status":"success"}'\n`,
      secrets,
    );
    const store = join(place.cwd, '..', 'elsewhere.db');
    const env = { ...place.at.env, FERMATA_STORE: store };
    const { code, stderr } = await fermata(args, { ...place.at, env });
    expect(code, stderr).toBe(0);
    const gateEnv = readFileSync(join(dirname(worktreeOf(read('agent-env'))), 'gate-env'), 'utf8');
    for (const seen of [read('agent-env'), gateEnv]) {
      expect(seen).toContain('PATH=');
      expect(seen).not.toContain('zq7');
      expect(seen).not.toContain('FERMATA_STORE');
      expect(seen).not.toContain('FERMATA_HOME');
      expect(seen).not.toContain(store);
    }
    expect(gateEnv).not.toContain('FERMATA_DOOR');
    expect(JSON.parse(read('status.json'))).toMatchObject({ status: 'success' });
  },
  LONG,
);

const worktreeOf = (env: string) => /^PWD=(.*)$/m.exec(env)?.[1] ?? '';

/** An agent that reports its door and waits for an answer, with the passes of two phases at once. */
const WAITS = `echo "$FERMATA_DOOR" > "$out/door-$FERMATA_PHASE"
echo "$FERMATA_PASS" > "$out/pass-$FERMATA_PHASE"
fermata ask "Go on with $FERMATA_PHASE?" -o yes -o no > /dev/null || exit 1
echo '{"status":"success"}'
`;

async function atTheDoor() {
  const run = runWith(WAITS);
  const running = startFermata([...run.args, '--wait', '--parallel', '2'], {
    ...run.place.at,
    limitMs: LONG,
  });
  running.child.stdin?.end();
  const questions = [await askedFor(run.place, 'Go on with 1?'), await askedFor(run.place, 'Go on with 2?')];
  const asAgent = (phase: '1' | '2', more: Record<string, string | undefined> = {}) => ({
    cwd: run.place.cwd,
    env: {
      FERMATA_DOOR: run.read(`door-${phase}`).trim(),
      FERMATA_PASS: run.read(`pass-${phase}`).trim(),
      FERMATA_HOME: undefined,
      ...more,
    },
  });
  const finish = async () => {
    for (const { id } of questions) await fermata(['answer', id, 'yes'], run.place.at);
    const { code, stderr } = await running.ended;
    expect(code, stderr).toBe(0);
  };
  return { ...run, running, questions, asAgent, finish };
}

describe('the door of a run (BIND-14)', () => {
  longTest(
    'proves who asks and for which task, whatever the agent claims',
    async () => {
      const { place, questions, asAgent, finish } = await atTheDoor();
      const forged = await fermata(['ask', 'Hello?'], asAgent('1', { FERMATA_PASS: 'x'.repeat(43) }));
      expect(forged).toMatchObject({ code: 1, stdout: '' });
      expect(forged.stderr).toBe(
        'fermata: FERMATA_PASS is not valid. Its agent has ended, or it is forged.\n',
      );
      const [id = ''] = questions.map((each) => each.id);
      const refused: [string[], string][] = [
        [['answer', id, 'yes'], 'Only a person may run "answer". Ask for it: fermata ask "…"'],
        [['withdraw', id], 'Only a person may run "withdraw".'],
        [['config', 'set', 'hilConfig', 'full'], 'Only a person may run "config set".'],
        [['tasks', 'close', 'shop/1'], 'Only a person may run "tasks close".'],
        [['tasks', 'release', 'shop/2'], 'Only a person may run "tasks release".'],
        [['serve'], 'Only a person may run "serve".'],
        [['run', 'plans/shop'], 'Only a person may run "run".'],
        [['plan', 'init', 'Mine'], 'Only a person may run "plan init".'],
        [['ask', 'Hi?', '--store', '/tmp/other.db'], 'Only a person may use --store.'],
        [['ask', 'Hi?', '--project=other'], 'Only a person may use --project.'],
        [['review', '1', '--agent-command', '/bin/sh'], 'Only a person may use --agent-command.'],
        [['audit', 'plans/shop', '--fix'], 'Only a person may use --fix.'],
        [['audit', '/etc'], '/etc is outside your worktree.'],
        [['protocol', '--lint', '../../secret.yaml'], '../../secret.yaml is outside your worktree.'],
        [['ask', 'Hi?', '--task', 'shop/2'], 'Your task is shop/1, not shop/2.'],
      ];
      for (const [words, sentence] of spread(refused)) {
        const { code, stdout, stderr } = await fermata(words, asAgent('1'));
        // Protocol commands print everything as JSON on stdout.
        expect(`${stderr}${stdout}`, words.join(' ')).toContain(sentence);
        expect(code, words.join(' ')).toBe(1);
      }
      const other = await fermata(['plan', 'start-prompt', '2', '--specialist', 'me'], asAgent('1'));
      expect(JSON.parse(other.stdout)).toMatchObject({
        status: 'error',
        error: { message: 'Your task is shop/1, not shop/2.' },
      });
      const lies = {
        FERMATA_TASK: 'shop/2',
        FERMATA_FENCE: '1',
        FERMATA_AGENT: '',
        FERMATA_PROJECT: 'other',
      };
      const lying = startFermata(['ask', 'Who am I?', '-o', 'a', '-o', 'b'], asAgent('1', lies));
      const { id: asking, sourceId, createdBy } = await askedFor(place, 'Who am I?');
      expect([sourceId, createdBy.actor]).toEqual(['shop/1', { kind: 'agent', name: 'command' }]);
      await fermata(['answer', asking, 'b'], place.at);
      expect(await lying.ended).toMatchObject({ code: 0, stdout: 'b\n' });
      await finish();
    },
    LONG,
  );

  longTest(
    'serves an agent of another user that has neither home nor ledger, only the door',
    async () => {
      const { place, folder, asAgent, finish } = await atTheDoor();
      const there = mkdtempSync(join(tmpdir(), 'fermata-client-'));
      onTestFinished(() => rmSync(there, { recursive: true, force: true }));
      const bin = join(there, 'bin');
      mkdirSync(bin, { mode: 0o755 });
      // It needs no part of the program but the client.
      const files = ['fermata.cjs', 'requirements.cjs', 'door.cjs'];
      for (const name of files) copyFileSync(join(dirname(BIN), name), join(bin, name));
      for (const path of [there, bin, ...files.map((name) => join(bin, name))]) chmodSync(path, 0o755);
      const { FERMATA_DOOR, FERMATA_PASS } = asAgent('2').env;
      const child = spawn(
        process.execPath,
        [join(bin, 'fermata.cjs'), 'ask', 'From elsewhere?', '-o', 'x', '-o', 'y'],
        {
          ...unprivileged(),
          cwd: there,
          env: { FERMATA_DOOR, FERMATA_PASS },
          stdio: ['ignore', 'pipe', 'ignore'],
        },
      );
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => (said += chunk));
      const ended = new Promise((resolve) => child.once('close', resolve));
      const { id, sourceId } = await askedFor(place, 'From elsewhere?');
      expect(sourceId).toBe('shop/2');
      await fermata(['answer', id, 'y'], place.at);
      expect(await ended).toBe(0);
      expect(said).toBe('y\n');
      expect(existsSync(join(folder, 'home', 'ledger.db'))).toBe(true);
      await finish();
    },
    LONG,
  );

  longTest(
    'a client that is killed leaves its question open; when the run is over, the door is closed',
    async () => {
      const { place, asAgent, running } = await atTheDoor();
      const asking = startFermata(['ask', 'Still there?'], asAgent('1'));
      const { id } = await askedFor(place, 'Still there?');
      asking.child.kill('SIGKILL');
      await asking.ended;
      const interrupted = startFermata(['ask', 'And now?'], asAgent('1'));
      await askedFor(place, 'And now?');
      interrupted.child.kill('SIGTERM');
      const { code, stderr } = await interrupted.ended;
      expect(code).toBe(130);
      expect(stderr).toContain('stays open');
      const open = (await place.inbox()).map((each) => each.id);
      expect(open).toContain(id);
      const agent = asAgent('1');
      running.child.kill('SIGINT');
      expect((await running.ended).code).toBe(130);
      const late = await fermata(['ask', 'Hello?'], agent);
      expect(late.code).toBe(1);
      expect(late.stderr).toBe('fermata: The run that started you has ended. Stop working.\n');
      expect(existsSync(dirname((agent.env.FERMATA_DOOR ?? '').slice('unix:'.length)))).toBe(false);
    },
    LONG,
  );
});
