import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { environment, fermata } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { compile, projectWithPackage } from './support/installed-package.ts';

const PROGRAMS = join(import.meta.dirname, 'programs');

longTest(
  'your own agent asks, everything is killed, and it continues with the answer (DRV-1, LED-5)',
  async () => {
    expect(readFileSync(join(PROGRAMS, 'parrot-driver.ts'), 'utf8').split('\n').length).toBeLessThan(120);
    const cwd = projectWithPackage();
    cpSync(PROGRAMS, cwd, { recursive: true });
    compile(cwd, ['parrot-program.ts']);
    const at = { cwd, env: { FERMATA_HOME: join(cwd, 'home') } };
    const inbox = async () => {
      const { stdout } = await fermata(['inbox', '--json', '--store', 'ledger.db'], at);
      return JSON.parse(stdout || '{"notifications":[]}').notifications;
    };

    const first = startProgram(cwd, at.env);
    await vi.waitFor(async () => expect(await inbox()).toHaveLength(1), { timeout: 90_000, interval: 200 });
    first.child.kill('SIGKILL');
    await first.ended;
    const [{ id, questions }] = await inbox();
    expect(questions[0].text).toBe('Which colour?');
    const answered = await fermata(['answer', id, 'green', '--store', 'ledger.db'], at);
    expect(answered.code, answered.stderr).toBe(0);

    const second = startProgram(cwd, at.env);
    const said = await second.ended;
    expect(JSON.parse(said)).toEqual({ reason: 'ok', text: 'Paint it green', status: 'ended', skipped: 1 });
    const { stdout } = await fermata(['events', '--json', '--store', 'ledger.db'], at);
    expect(stdout).toContain('"delivered"');
  },
  180_000,
);

function startProgram(cwd: string, env: Record<string, string>) {
  const child = spawn(process.execPath, ['parrot-program.js', join(cwd, 'parrot.cjs')], {
    cwd,
    env: environment(env) as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  return { child, ended: once(child, 'close').then(() => said) };
}
