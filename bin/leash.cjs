'use strict';
// Runs an agent so that it cannot outlive the one who started it: node leash.cjs PROGRAM ARG…
// Descriptor 3 is the lifeline. When it breaks (its other end died, even by kill -9), or nothing comes through it for a
// while (its other end is suspended, or the machine was asleep), the whole process group is ended: politely, so that the
// agent can save its session, and for good a moment later. The agent's stdin is passed through here, so that it never
// sees a broken pipe first: an agent whose stdin closes while it waits for an answer would carry on unattended.
const { spawn } = require('node:child_process');
const { Socket } = require('node:net');

const [, , program, ...args] = process.argv;
/** Both pipes of a dead parent break within this time of each other. */
const TELL_APART_MS = 40;
/** How long an agent may save its session. */
const LAST_WORDS_MS = 500;
/** Over before anybody else may take up what our parent holds: a lease is twice as long, and is renewed in between. */
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
// On a busy machine we may come to run late ourselves: what has come meanwhile is read first.
setInterval(() => setImmediate(() => endIfSilent(Date.now())), SILENCE_MS / 10);

/** Each beat says when it was sent. */
function hear(at) {
  endIfSilent(at);
  heard = Math.max(heard, at);
}

/** By the clock on the wall, which goes on while the machine sleeps. */
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

// Signals go to the group: the agent decides what they mean, and its end is ours.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => undefined);

const child = spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'] });
child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
child.stdin.on('error', () => process.stdin.destroy());
process.stdin.pipe(child.stdin, { end: false });
process.stdin.on('end', () => setTimeout(() => orphaned || child.stdin.end(), TELL_APART_MS));
child.on('exit', (code, signal) => {
  if (orphaned) process.kill(-process.pid, 'SIGKILL'); // with whatever it left running
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
