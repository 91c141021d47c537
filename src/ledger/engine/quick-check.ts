import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { FermataError } from '../../schema/error.ts';
import { storeError } from './store-error.ts';

/** SQLite names at most this many damaged places. */
const MOST = 20;

/** Runs in a process of its own, because it reads the whole file in one statement. */
const PROGRAM = `
  const [driver, path] = process.argv.slice(1);
  const { DatabaseSync } = require(driver);
  let found;
  try {
    const connection = new DatabaseSync(path);
    connection.exec('pragma busy_timeout = 2000; pragma query_only = on');
    found = connection.prepare('pragma quick_check(${MOST})').all().map((row) => row.quick_check);
  } catch (error) {
    found = { message: error.message, code: error.code };
  }
  process.stdout.write(JSON.stringify(found));`;

/** What SQLite finds wrong with the pages of a ledger's file, in its own words. The signal ends the search. */
export async function quickCheck(path: string, signal?: AbortSignal): Promise<string[]> {
  const driver = createRequire(import.meta.url).resolve('@photostructure/sqlite');
  const output = await new Promise<string>((resolve, reject) => {
    const options = { ...(signal ? { signal } : {}), killSignal: 'SIGKILL' } as const;
    execFile(process.execPath, ['-e', PROGRAM, driver, path], options, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
  });
  const found: string[] | { message: string; code: string } = JSON.parse(output);
  if (Array.isArray(found)) return found.filter((line) => line !== 'ok');
  const error = Object.assign(new Error(found.message), { code: found.code });
  if (isDamage(error)) return [found.message];
  throw storeError(error, path);
}

/** Whether SQLite could not read a file because of what is in it. */
export function isDamage(error: unknown): boolean {
  const known = storeError(error, '');
  return known instanceof FermataError && known.code === 'damaged';
}
