import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Runs a program silently; if it fails, the error contains its output. */
export function runQuietly(program, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk) => {
      if (output.length < 1e6) output += chunk;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => reject(new Error(`cannot start ${program}: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${shorten(output.trim())}\n(${program} ended with ${signal ?? code})`));
    });
  });
}

/** The cause is in the first or the last lines; npm prints all of its help between them. */
function shorten(output, head = 15, tail = 5) {
  const lines = output.split('\n');
  if (lines.length <= head + tail) return output;
  return [...lines.slice(0, head), '…', ...lines.slice(-tail)].join('\n');
}

/** Runs a Node script in this terminal and passes signals on; resolves to its exit code. */
export function runNode(...args) {
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const forward = (signal) => child.kill(signal);
  process.on('SIGTERM', forward);
  process.on('SIGHUP', forward);
  // A terminal sends Ctrl-C to both processes; the child decides what it means.
  process.on('SIGINT', process.stdin.isTTY ? () => undefined : forward);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}
