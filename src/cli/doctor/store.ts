import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checkLedger } from '../../ledger/care/check-ledger.ts';
import { schemaVersion } from '../../ledger/engine/migrations.ts';
import type { Store } from '../../ledger/engine/store.ts';
import { openLedger, openStore } from '../../ledger/ledger.ts';
import { isServer, withoutPassword } from '../../schema/address.ts';
import { cmd } from '../../schema/command-line.ts';
import { counted } from '../../schema/counted.ts';
import { FermataError } from '../../schema/error.ts';
import { type Check, error, ok, warning } from './check.ts';

const MB = 1024 * 1024;

/** Opens, reads and writes the ledger; for a file, also checks its permissions and the free space. */
export async function checkStore(place: string, signal?: AbortSignal): Promise<Check[]> {
  const opened = await checkUse(place, signal);
  const workers = opened.status === 'ok' ? await checkWorkers(place) : [];
  if (isServer(place)) return [opened, ...workers];
  return [opened, ...workers, ...(await checkMode(place)), ...(await checkSpace(place))];
}

/** Which workers share the ledger, if there are any. */
async function checkWorkers(place: string): Promise<Check[]> {
  const ledger = await openLedger(place);
  try {
    const workers = await ledger.workers.list();
    const each = workers.map(
      ({ name, host, slots, abilities }) =>
        `${name} on ${host} (${counted(slots, 'slot')}, abilities: ${abilities.join(', ')})`,
    );
    return each.length > 0 ? [ok('workers', each.join('; '))] : [];
  } finally {
    await ledger.close();
  }
}

async function checkUse(place: string, signal: AbortSignal | undefined): Promise<Check> {
  let store: Store | undefined;
  try {
    store = await openStore(place);
    const [problem, ...more] = await checkLedger(store, signal);
    if (problem !== undefined) {
      const others = more.length > 0 ? ` (and ${more.length} more: ${cmd`ledger check`})` : '';
      const fix = `Stop everything that uses the ledger, then restore a backup: ${cmd`ledger restore FILE`}`;
      return error('ledger', `${withoutPassword(place)}: ${problem}${others}`, fix);
    }
    await tryWriting(store);
    return ok('ledger', `${withoutPassword(place)}, version ${schemaVersion}, writable`);
  } catch (problem) {
    if (!(problem instanceof Error)) throw problem;
    return error('ledger', problem.message, fixFor(place, problem));
  } finally {
    await store?.close();
  }
}

function fixFor(place: string, problem: Error): string | undefined {
  if (problem instanceof FermataError && problem.code === 'forbidden') return undefined;
  if (isServer(place))
    return 'Start the server, create the database (createdb NAME), or set FERMATA_STORE to another one.';
  return problem instanceof FermataError ? undefined : 'Choose another place with --store or FERMATA_STORE.';
}

/** A real transaction that changes nothing: it overwrites a project's row with itself. */
async function tryWriting(store: Store): Promise<void> {
  await store.write(null, (tx) =>
    tx.sql('update projects set last_event = last_event where id = (select min(id) from projects)'),
  );
}

async function checkMode(path: string): Promise<Check[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return [];
  const mode = (found.mode & 0o777).toString(8);
  if ((found.mode & 0o077) === 0) return [ok('ledger mode', `${mode}: only you can read it`)];
  return [
    warning('ledger mode', `${mode}: other users of this machine may read or write it`, `chmod 600 ${path}`),
  ];
}

async function checkSpace(path: string): Promise<Check[]> {
  const disk = await statfs(dirname(path)).catch(() => undefined);
  if (!disk) return [];
  const free = (disk.bavail * disk.bsize) / MB;
  const detail = free < 10 * 1024 ? `${Math.floor(free)} MB free` : `${Math.floor(free / 1024)} GB free`;
  const fix = `Free some space on the disk of ${dirname(path)}, or move FERMATA_HOME.`;
  if (free < 50) return [error('disk', detail, fix)];
  return [free < 500 ? warning('disk', detail, fix) : ok('disk', detail)];
}
