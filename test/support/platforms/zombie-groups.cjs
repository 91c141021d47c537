// Preloaded with --require: `kill` answers as on macOS, with EPERM for a group in which only zombies are left.
// Not readFileSync: it opens files with whatever fs.openSync is by then, and no-proc.cjs hides /proc from that.
const { closeSync, openSync, readdirSync, readSync } = require('node:fs');

const kill = process.kill;
process.kill = (pid, signal) => {
  if (pid < 0 && membersOf(-pid).every(({ state }) => state === 'Z')) {
    throw Object.assign(new Error('kill EPERM'), { errno: -1, code: 'EPERM', syscall: 'kill' });
  }
  return kill.call(process, pid, signal);
};

function membersOf(group) {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.map(statOf).filter((found) => found?.group === String(group));
}

function statOf(pid) {
  try {
    const [state, , group] = read(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    return { state, group };
  } catch {
    return undefined; // it ended meanwhile
  }
}

function read(path) {
  const file = openSync(path);
  try {
    const bytes = Buffer.alloc(4096);
    return bytes.latin1Slice(0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}
