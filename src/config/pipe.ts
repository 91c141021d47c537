import type { Env } from './home.ts';

const DEFAULT_SECONDS = 30;
const names = ['FERMATA_QA_TIMEOUT', 'DEBUSSY_QA_TIMEOUT'];
const switches = ['FERMATA_QA_PIPE', 'DEBUSSY_QA_PIPE'];
const OFF = ['', '0', 'false', 'no', 'off'];

/** Whether questions go to a parent process over stdout and stdin; `problem` names a value that is not `1`. */
export function pipeMode(env: Env): { isOn: boolean; problem?: string } {
  if (switches.some((name) => env[name] === '1')) return { isOn: true };
  const name = switches.find((each) => !OFF.includes(env[each]?.trim().toLowerCase() ?? ''));
  if (name === undefined) return { isOn: false };
  return { isOn: false, problem: `${name} is "${env[name]}", which does not turn the pipe on. Set it to 1.` };
}

/** How long to wait for an answer; `problem` names a value that is not a number of seconds. */
export function pipeTimeout(env: Env): { seconds: number; problem?: string } {
  const name = names.find((each) => env[each]?.trim());
  if (name === undefined) return { seconds: DEFAULT_SECONDS };
  const text = env[name]?.trim() ?? '';
  const seconds = /^(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})$/.test(text) ? Number(text) : 0;
  if (seconds > 0) return { seconds };
  const problem = `${name}: "${text}" is not a number of seconds; using ${DEFAULT_SECONDS}.`;
  return { seconds: DEFAULT_SECONDS, problem };
}
