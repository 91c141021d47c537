import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readPlan } from '../../src/plan/grammar/read-plan.ts';
import { finishMove, writePlanFolder } from '../../src/plan/write-plan-folder.ts';
import { bundledProgram, type Program } from '../support/bundled-program.ts';

const files = (title: string) => [
  { name: 'MASTER_PLAN.md', content: `# ${title}\n` },
  { name: 'notes/one.md', content: 'one\n' },
  { name: 'phase-1.md', content: `# Phase 1: ${title}\n` },
];

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-write-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { plans: folder, output: join(folder, 'shop') };
}

const titleOf = (folder: string) => readFileSync(join(folder, 'MASTER_PLAN.md'), 'utf8').trim();

let program: Program;
beforeAll(async () => {
  program = await bundledProgram(join(import.meta.dirname, 'convert/support/program.ts'));
});

/** How to write a plan in a process of its own, which a crash point may kill. */
function inProcess(output: string, title: string, crashAt?: string) {
  const { NODE_EXTRA_CA_CERTS: _slow, ...env } = process.env;
  return { args: [program.file, output, title], env: { ...env, FERMATA_CRASH_AT: crashAt } };
}

describe('CONV-4 a plan is put in place at once', () => {
  test('replaces an existing plan, which becomes a backup; a second time makes a second backup', () => {
    const { plans, output } = place();
    expect(writePlanFolder(output, files('one'), true)).toBeUndefined();
    const first = writePlanFolder(output, files('two'), true) ?? '';
    const second = writePlanFolder(output, files('three'), true) ?? '';
    expect([first, second, output].map(titleOf)).toEqual(['# one', '# two', '# three']);
    expect(readdirSync(plans)).toHaveLength(3);
  });

  test('replaces only a plan: a folder of other things, a file, and a plan without permission stay', () => {
    const { plans, output } = place();
    mkdirSync(output);
    writeFileSync(join(output, 'mine.txt'), 'mine');
    expect(() => writePlanFolder(output, files('new'), true)).toThrow('is not a plan that can be replaced');
    writeFileSync(join(output, 'MASTER_PLAN.md'), '# old\n');
    expect(() => writePlanFolder(output, files('new'))).toThrow('is not empty');
    mkdirSync(join(output, '.git'));
    expect(() => writePlanFolder(output, files('new'), true)).toThrow('contains more than a plan');
    expect(readdirSync(plans)).toEqual(['shop']);
    expect(readFileSync(join(output, 'mine.txt'), 'utf8')).toBe('mine');
  });

  test('writes through a link, which stays a link', () => {
    const { plans, output } = place();
    writePlanFolder(join(plans, 'real'), files('old'));
    symlinkSync('real', output);
    writePlanFolder(output, files('new'), true);
    expect([titleOf(output), titleOf(join(plans, 'real'))]).toEqual(['# new', '# new']);
  });

  test.each(['plan.file', 'plan.file#3', 'plan.staged', 'plan.ready', 'plan.between', 'plan.placed'])(
    'kill -9 at %s leaves the old plan or the new one, whole; what is left over is cleaned up next time',
    (point) => {
      const { plans, output } = place();
      writePlanFolder(output, files('old'));
      const { args, env } = inProcess(output, 'new', `${point}=kill`);
      expect(spawnSync(process.execPath, args, { env }).signal).toBe('SIGKILL');
      const isMoved = !existsSync(output);
      expect(isMoved, 'only between the two renames').toBe(point === 'plan.between');
      const { plan } = readPlan(output);
      const expected = ['plan.between', 'plan.placed'].includes(point) ? 'new' : 'old';
      expect(plan.title).toBe(expected);
      expect(readFileSync(join(output, 'phase-1.md'), 'utf8')).toBe(`# Phase 1: ${expected}\n`);
      const backups = () => readdirSync(plans).filter((name) => name.includes('.backup-'));
      expect(backups()).toHaveLength(expected === 'new' ? 1 : 0);
      writePlanFolder(output, files('next'), true);
      expect(readdirSync(plans).filter((name) => !backups().includes(name))).toEqual(['shop']);
    },
  );

  test('leaves files of a living process alone', async () => {
    const { plans, output } = place();
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    onTestFinished(async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    });
    const staged = join(plans, `.shop.staging-${child.pid}-abcd`);
    const ready = join(plans, `.shop.ready-${child.pid}-abcd`);
    for (const folder of [staged, ready]) mkdirSync(folder);
    finishMove(output);
    expect(existsSync(output)).toBe(false);
    writePlanFolder(output, files('new'));
    expect(readdirSync(plans)).toHaveLength(3);
  });

  test('of several writers at once, one is in place, the others are backups, and nothing is mixed', async () => {
    const { plans, output } = place();
    writePlanFolder(output, files('old'));
    const codes = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (title) => {
        const { args, env } = inProcess(output, title);
        const [code] = await once(spawn(process.execPath, args, { env, stdio: 'ignore' }), 'exit');
        return code as number;
      }),
    );
    const won = codes.filter((code) => code === 0).length;
    expect(won).toBeGreaterThan(0);
    const kept = readdirSync(plans).map((name) => join(plans, name));
    expect(kept, 'the old one, and each that was written').toHaveLength(won + 1);
    for (const folder of kept) {
      const title = titleOf(folder).slice(2);
      expect(readFileSync(join(folder, 'phase-1.md'), 'utf8')).toBe(`# Phase 1: ${title}\n`);
    }
  });

  test('a full disk leaves the old plan and nothing else', () => {
    const { plans, output } = place();
    writePlanFolder(output, files('old'));
    const { args, env } = inProcess(output, 'new', 'plan.file#2=ENOSPC');
    expect(spawnSync(process.execPath, args, { env }).status).toBe(1);
    expect([readdirSync(plans), titleOf(output)]).toEqual([['shop'], '# old']);
  });
});
