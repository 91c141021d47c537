import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { perFile } from './per-file.ts';
import { type Account, unprivileged } from './postgres-account.ts';

const ROOT = join(import.meta.dirname, '../..');
/** What the built program needs to start. */
const PARTS = [
  'bin',
  'dist',
  'package.json',
  'node_modules/zod',
  'node_modules/@photostructure/sqlite/package.json',
  'node_modules/@photostructure/sqlite/dist',
  'node_modules/@photostructure/sqlite/prebuilds',
  'node_modules/node-gyp-build',
];

/** This project's folder, or a copy of the program if other accounts cannot enter the clone's folder. */
export const reachableRoot = perFile(
  () => (canEnter(unprivileged()) ? ROOT : copyOfProgram()),
  (root) => root !== ROOT && rmSync(root, { recursive: true, force: true }),
);

function copyOfProgram(): string {
  const copy = mkdtempSync(join(tmpdir(), 'fermata-program-'));
  for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  chmodSync(copy, 0o755);
  return copy;
}

function canEnter(account: Account): boolean {
  const look = `require('node:fs').accessSync(${JSON.stringify(join(ROOT, 'package.json'))})`;
  return spawnSync(process.execPath, ['-e', look], { ...account, cwd: '/' }).status === 0;
}
