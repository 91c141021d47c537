import { tmpdir } from 'node:os';
import { AgentProcess } from '../../agents/process/agent-process.ts';
import { redactor } from '../../ledger/redact/redact.ts';
import { FermataError } from '../../schema/error.ts';
import type { Access } from './client.ts';

/** `gh` has no account for this host. */
export class NotLoggedIn extends Error {}

const TIME_LIMIT_MS = 10 * 60_000;
const MAX_BYTES = 256 * 1024 * 1024;
/** `gh help exit-codes`: 4 is "requires authentication". */
const NEEDS_LOGIN = 4;

/** Runs `gh` without a shell, without prompts and within limits; resolves to its stdout. */
export async function runGh(program: string, args: string[], access: Access, input = ''): Promise<string> {
  const running = new AgentProcess({
    program,
    args,
    cwd: tmpdir(),
    env: {
      ...access.env,
      GH_PROMPT_DISABLED: '1',
      GH_NO_UPDATE_NOTIFIER: '1',
      NO_COLOR: '1',
      GH_FORCE_TTY: undefined,
    },
  });
  const limit = AbortSignal.any([
    AbortSignal.timeout(TIME_LIMIT_MS),
    ...(access.signal ? [access.signal] : []),
  ]);
  const stop = () => void running.kill();
  limit.addEventListener('abort', stop, { once: true });
  if (limit.aborted) stop();
  try {
    void running.writeAll(input);
    const output = await outputOf(running);
    const { code } = await running.ended;
    access.signal?.throwIfAborted();
    if (limit.aborted)
      throw new FermataError('unavailable', `gh did not finish within ${TIME_LIMIT_MS / 60_000} minutes.`);
    if (code === 0) return output;
    throw failure(code, redactor(access.env)(running.stderrTail).trim());
  } finally {
    limit.removeEventListener('abort', stop);
    await running.kill();
  }
}

async function outputOf(running: AgentProcess): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of running.stdout as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES)
      throw new FermataError(
        'invalid',
        'gh printed more than 256 MB. Narrow the list with --label or --limit.',
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function failure(code: number | null, said: string): Error {
  if (code === NEEDS_LOGIN || /gh auth login|not logged in/i.test(said)) return new NotLoggedIn();
  const words =
    said.slice(-500) || (code === null ? 'it was killed by a signal' : `it ended with exit code ${code}`);
  if (/HTTP 401|bad credentials/i.test(said)) {
    return new FermataError('forbidden', `GitHub rejected gh's token: ${words}. Log in again: gh auth login`);
  }
  if (/could not resolve to|HTTP 404|not found/i.test(said))
    return new FermataError('not_found', `gh: ${words}`);
  return new FermataError('unavailable', `gh: ${words}`);
}
