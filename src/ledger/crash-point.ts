/**
 * Named places where a test can make the process die or a step fail. `FERMATA_CRASH_AT` is
 * `name=kill`, `name=throw` or `name=ENOSPC`; unset, a point costs one comparison.
 */
export function crashPoint(name: string): void {
  if (armed !== undefined) fire(name, armed);
}

const armed = process.env.FERMATA_CRASH_AT;

function fire(name: string, setting: string): void {
  const [wanted, action] = setting.split('=');
  if (wanted !== name) return;
  if (action === 'kill') process.kill(process.pid, 'SIGKILL');
  const code = action === 'throw' ? 'EIO' : action;
  throw Object.assign(new Error(`${code}: injected at ${name}`), { code });
}
