/**
 * Named places where a test can make the process die or a step fail. `FERMATA_CRASH_AT` is `name=kill`, `name=throw` or
 * `name=ENOSPC`; `name#2=kill` skips the first pass. If unset, a point costs one comparison.
 */
export function crashPoint(name: string): void {
  if (armed !== undefined) fire(name, armed);
}

const armed = process.env.FERMATA_CRASH_AT;
let passes = 0;

function fire(name: string, setting: string): void {
  const [point = '', action] = setting.split('=');
  const [wanted, nth = 1] = point.split('#');
  if (wanted !== name || ++passes < Number(nth)) return;
  if (action === 'kill') process.kill(process.pid, 'SIGKILL');
  const code = action === 'throw' ? 'EIO' : action;
  throw Object.assign(new Error(`${code}: injected at ${name}`), { code });
}
