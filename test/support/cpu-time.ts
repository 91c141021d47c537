/** The CPU time in milliseconds that something takes; on a busy machine the clock says nothing. */
export function cpuTime(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
