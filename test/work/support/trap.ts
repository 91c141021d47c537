import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Every hook that git knows. */
export const hookNames = [
  'applypatch-msg',
  'commit-msg',
  'fsmonitor-watchman',
  'post-applypatch',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-receive',
  'post-rewrite',
  'post-update',
  'pre-applypatch',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'pre-push',
  'pre-rebase',
  'pre-receive',
  'prepare-commit-msg',
  'proc-receive',
  'push-to-checkout',
  'reference-transaction',
  'sendemail-validate',
  'update',
];

export interface Trap {
  /** A program that leaves a mark: its name, and the command line of its parent. */
  program: string;
  /** A folder with a hook of every name, each of which leaves a mark. */
  hooks: string;
  marks(): string[];
}

/** In a path without spaces, because git passes these names to a shell unquoted. */
export function setTrap(): Trap {
  const folder = mkdtempSync('/tmp/fermata-trap-');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const marks = join(folder, 'marks');
  const hooks = join(folder, 'trap-hooks');
  const text = `#!/bin/sh\necho "$0 from $(ps -o args= -p $PPID)" >> '${marks}'\n`;
  const program = join(folder, 'trap.sh');
  mkdirSync(hooks, { recursive: true });
  for (const path of [program, ...hookNames.map((name) => join(hooks, name))])
    writeFileSync(path, text, { mode: 0o755 });
  const read = () => (existsSync(marks) ? readFileSync(marks, 'utf8').trimEnd().split('\n') : []);
  return { program, hooks, marks: read };
}

/** A repository's configuration in which everything that can name a program names the trap. */
export function hostileConfig({ program, hooks }: Trap): string {
  const runs = (keys: string[]) => keys.map((key) => `\t${key} = ${program}\n`).join('');
  return `
[core]
	hooksPath = ${hooks}
${runs(['fsmonitor', 'pager', 'editor', 'sshCommand', 'askPass', 'gitProxy', 'alternateRefsCommand'])}
[diff]
${runs(['external'])}
[diff "trap"]
${runs(['command', 'textconv'])}
[merge]
	default = trap
	verifySignatures = true
[merge "trap"]
${runs(['driver'])}
[commit]
	gpgSign = true
[gpg]
${runs(['program'])}
[gpg "ssh"]
${runs(['program', 'defaultKeyCommand'])}
[log]
	showSignature = true
[status]
	submoduleSummary = true
[submodule]
	recurse = true
[gc]
	auto = 1
[credential]
${runs(['helper'])}
[pager]
${runs(['status', 'diff', 'log', 'show', 'config'])}
[alias]
	status = !${program}
	commit = !${program}
[sequence]
${runs(['editor'])}
[interactive]
${runs(['diffFilter'])}
[trailer "trap"]
${runs(['cmd', 'command'])}
[hook "trap"]
	event = pre-commit
${runs(['command'])}
[uploadpack]
${runs(['packObjectsHook'])}
[protocol "ext"]
	allow = always
[remote "origin"]
	url = ext::${program} %S
	promisor = true
${runs(['uploadpack', 'receivepack'])}
[branch "login"]
	mergeOptions = --verify-signatures
`;
}
