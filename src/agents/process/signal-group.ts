/**
 * Sends a signal to a process we started and to everything in its group. Ignores a group that is gone: macOS says `EPERM`
 * instead of `ESRCH` while only zombies are left in it.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
