import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmdirSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { collectGarbage } from './collect-garbage.ts';
import type { FreshStore } from './test-store.ts';

/** A SQLite ledger in a new temporary folder. */
export async function freshFile(): Promise<FreshStore> {
  const dir = mkdtempSync(join(tmpdir(), 'fermata-ledger-'));
  const place = join(dir, 'ledger.db');
  return {
    place,
    async sql<Row>(text: string, ...values: (string | number | null)[]) {
      const connection = new DatabaseSync(place);
      try {
        connection.exec('pragma busy_timeout = 5000');
        return connection.prepare(text).all(...values) as Row[];
      } finally {
        connection.close();
      }
    },
    failure: (table, operation) => ({
      begin: `create trigger injected before ${operation} on ${table} begin select raise(abort, 'injected'); end`,
      end: 'drop trigger injected',
    }),
    /** The driver cannot finalize a statement: its file is closed once the statement is collected. */
    async leftovers() {
      const left = () => [...openFilesIn(dir), ...readdirSync(dir).filter((file) => file !== 'ledger.db')];
      for (let tries = 0; tries < 50 && left().length > 0; tries++) {
        await collectGarbage();
        await sleep(20);
      }
      return left();
    },
    async remove() {
      if (existsSync(place)) unlinkSync(place);
      rmdirSync(dir);
    },
  };
}

/** The files below `dir` that this process has open, where the system tells. */
function openFilesIn(dir: string): string[] {
  if (!existsSync('/proc/self/fd')) return [];
  return readdirSync('/proc/self/fd')
    .map((fd) => target(`/proc/self/fd/${fd}`))
    .filter((path) => path.startsWith(dir));
}

/** The descriptor that lists the folder is closed by the time that we look at it. */
function target(link: string): string {
  try {
    return readlinkSync(link);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
