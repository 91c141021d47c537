/** How many milliseconds of this process's own work something takes: on a busy machine the clock tells nothing. */
export function cpuTime(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
