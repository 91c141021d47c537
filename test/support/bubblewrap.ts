import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findProgram } from '../../src/agents/process/program.ts';
import { requireSandbox } from '../../src/agents/sandbox/require-sandbox.ts';

/** The real bubblewrap if it is installed, else a stand-in that makes the same mounts. */
export function withBubblewrap(folder: string): Record<string, string> {
  if (findProgram('bwrap', process.env, '/')) return {};
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'bwrap'), STAND_IN.replace('#!NODE', `#!${process.execPath}`), { mode: 0o755 });
  return { PATH: `${bin}${delimiter}${process.env.PATH}` };
}

/** Why no sandbox can be made here: neither bubblewrap nor root, or a kernel that allows neither. */
export function cannotSandbox(env: NodeJS.ProcessEnv): string | undefined {
  try {
    requireSandbox(env);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Needs root: makes the mounts in a namespace of its own and enters them with chroot. */
const STAND_IN = `#!NODE
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const q = (word) => "'" + word.replaceAll("'", "'\\\\''") + "'";
const words = process.argv.slice(2);
const root = fs.mkdtempSync('/tmp/stand-in-');
const lines = ['set -e', 'mount -t tmpfs none ' + q(root), 'r=' + q(root)];
let cwd = '/';
while (words.length > 0) {
  const word = words.shift();
  if (word === '--') break;
  if (!word.startsWith('--')) { words.unshift(word); break; }
  if (/^--(unshare|share|die)/.test(word)) continue;
  const a = words.shift();
  if (word === '--chdir') cwd = a;
  else if (word === '--proc') lines.push('mkdir -p $r' + a + '; mount -t proc proc $r' + a);
  else if (word === '--dev') lines.push('mkdir -p $r' + a + '; mount --rbind /dev $r' + a);
  else if (word === '--tmpfs') lines.push('mkdir -p $r' + q(a) + '; mount -t tmpfs none $r' + q(a));
  else {
    const b = words.shift();
    if (word === '--symlink') { lines.push('ln -s ' + q(a) + ' $r' + q(b)); continue; }
    const found = fs.statSync(a, { throwIfNoEntry: false });
    if (!found) continue;
    lines.push('mkdir -p $r' + q(path.dirname(b)));
    lines.push(found.isDirectory() ? 'mkdir -p $r' + q(b) : 'test -e $r' + q(b) + ' || : > $r' + q(b));
    lines.push('mount --bind ' + q(a) + ' $r' + q(b));
    if (word.startsWith('--ro')) lines.push('mount -o remount,bind,ro $r' + q(b));
  }
}
lines.push('exec chroot $r /bin/sh -c ' + q('cd ' + q(cwd) + ' && exec ' + words.map(q).join(' ')));
const { status } = spawnSync('unshare', ['--mount', '--pid', '--fork', '--ipc', 'sh', '-c', lines.join('\\n')], { stdio: 'inherit' });
fs.rmdirSync(root);
process.exit(status ?? 1);
`;
