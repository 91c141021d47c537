'use strict';
// Runs an agent so that it cannot outlive the process that started it: node leash.cjs PROGRAM ARG…
// Descriptor 3 is the lifeline. If it breaks (the parent died, even by kill -9), or nothing arrives on it for a while
// (the parent is suspended, or the machine was asleep), the whole process group is terminated: first with SIGTERM, so
// that the agent can save its session, and a moment later with SIGKILL. The agent's stdin passes through here, so that
// it never sees a broken pipe first, because an agent whose stdin closes while it waits for an answer would continue
// unattended.
const { spawn } = require('node:child_process');
const { closeSync, readdirSync, readFileSync } = require('node:fs');
const { Socket } = require('node:net');

const [, , program, ...args] = process.argv;
/** When the parent dies, both of its pipes break within this time. */
const TELL_APART_MS = 40;
/** How long an agent gets to save its session. */
const LAST_WORDS_MS = 500;
/** Half as long as a lease, which is renewed in between, so the agent is gone before anybody else takes over its work. */
const SILENCE_MS = 10_000;
let orphaned = false;
let heard = Date.now();

const lifeline = new Socket({ fd: 3, readable: true, writable: true }).setEncoding('latin1');
let unread = '';
lifeline.on('data', (text) => {
  const beats = (unread + text).split('\n');
  unread = beats.pop();
  for (const beat of beats) hear(Number(beat));
});
lifeline.on('close', end);
lifeline.on('error', () => undefined);
// On a busy machine this timer may fire late, so first read the heartbeats that have arrived since.
setInterval(() => setImmediate(() => endIfSilent(Date.now())), SILENCE_MS / 10);

/** Each heartbeat contains the time at which it was sent. */
function hear(at) {
  endIfSilent(at);
  heard = Math.max(heard, at);
}

/** Uses the wall clock, which keeps running while the machine sleeps. */
function endIfSilent(now) {
  if (now - heard <= SILENCE_MS || orphaned) return;
  lifeline.write('silence');
  end();
}

function end() {
  if (orphaned) return;
  orphaned = true;
  process.kill(-process.pid, 'SIGTERM');
  setTimeout(() => process.kill(-process.pid, 'SIGKILL'), LAST_WORDS_MS);
}

// Signals go to the whole group, so ignore them here: the agent decides what they mean, and we exit when it does.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => undefined);

closeInherited();
const child = started();
child.on('error', notStarted);
// If too many files are open, it has no stdin, and `error` follows.
if (child.stdin) {
  child.stdin.on('error', () => process.stdin.destroy());
  process.stdin.pipe(child.stdin, { end: false });
  process.stdin.on('end', () => setTimeout(() => orphaned || child.stdin.end(), TELL_APART_MS));
}
child.on('exit', (code, signal) => {
  if (orphaned) process.kill(-process.pid, 'SIGKILL'); // including everything it left running
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});

function started() {
  try {
    return spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'] });
  } catch (error) {
    return notStarted(error);
  }
}

/** Says so on the lifeline too, because a program may end with the same code. */
function notStarted({ code, message }) {
  process.stderr.write(`${message}\n`);
  lifeline.write(`refused ${code} ${message}`);
  process.exit(127);
}

/**
 * A folder that our caller left open would lead out of a sandbox. Node closes such descriptors for its children, but only
 * up to the first gap in their numbers; it opens its own so that children never have them.
 */
function closeInherited() {
  let open;
  try {
    open = readdirSync('/proc/self/fd').map(Number);
  } catch {
    return; // not Linux, so there are no sandboxes
  }
  for (const fd of open) if (fd > 3 && staysOpen(fd)) closeSync(fd);
}

function staysOpen(fd) {
  try {
    const [, flags] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'));
    return (Number.parseInt(flags, 8) & 0o2000000) === 0;
  } catch {
    return false; // it was the one that listed the folder
  }
}
