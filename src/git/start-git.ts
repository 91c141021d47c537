import { type ExecFileException, execFile } from 'node:child_process';
import { FermataError } from '../schema/error.ts';

export interface Started {
  env: NodeJS.ProcessEnv;
  input?: string | Buffer;
  maxBytes?: number;
  cut?: boolean;
}

export interface Ended {
  code: number;
  stdout: Buffer;
  stderr: string;
}

const MAX_BYTES = 256 * 1024 * 1024;
const TOO_MUCH = 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';

/** Starts git once, with exactly these arguments and this environment. Only git.ts and what prepares it may call this. */
export function startGit(
  folder: string,
  args: string[],
  { env, input = '', maxBytes = MAX_BYTES, cut = false }: Started,
): Promise<Ended> {
  const settings = { cwd: folder, env, maxBuffer: maxBytes, encoding: 'buffer' as const };
  return new Promise((resolve, reject) => {
    const child = execFile('git', args, settings, (error, stdout, stderr) => {
      // A git that a signal ended has no code at all, which must never read as success.
      const code = error === null || (cut && error.code === TOO_MUCH) ? 0 : error.code;
      if (typeof code === 'number') resolve({ code, stdout, stderr: stderr.toString('utf8') });
      else reject(cannotRun(error, folder, args, maxBytes));
    });
    child.stdin?.on('error', () => undefined); // it may end without reading; its exit code says why
    child.stdin?.end(input);
  });
}

function cannotRun(
  error: ExecFileException | null,
  folder: string,
  [command]: string[],
  maxBytes: number,
): FermataError {
  const cause = { cause: error };
  if (error?.code === 'ENOENT') {
    const message = `Cannot start git in ${folder}. Check that git is on the PATH and that the folder exists.`;
    return new FermataError('unavailable', message, cause);
  }
  if (error?.code === TOO_MUCH) {
    return new FermataError('unavailable', `git ${command} printed more than ${maxBytes} bytes.`, cause);
  }
  return new FermataError(
    'unavailable',
    `git ${command} was ended by ${error?.signal ?? error?.code}.`,
    cause,
  );
}
