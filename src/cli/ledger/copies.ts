import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { backUp, exportTo } from '../../ledger/care/back-up.ts';
import { exportLines } from '../../ledger/care/export-lines.ts';
import { importLines } from '../../ledger/care/import-lines.ts';
import { importFrom, restoreTo } from '../../ledger/care/restore.ts';
import { openStore } from '../../ledger/ledger.ts';
import { isServer } from '../../schema/address.ts';
import { counted } from '../../schema/counted.ts';
import { FermataError } from '../../schema/error.ts';
import { isAtTerminal } from '../at-terminal.ts';
import type { CommonOptions } from '../command.ts';
import { confirm } from '../confirm.ts';
import { print, printJson, tell } from '../output.ts';
import { careSettings, megabytes, withKnownStore, withProgress } from './care.ts';

/** The file that stands for stdin or stdout. */
const STANDARD = '-';

export function defineCopies(ledger: Command): void {
  defineBackup(ledger);
  defineRestore(ledger);
  defineExport(ledger);
  defineImport(ledger);
}

function defineBackup(ledger: Command): void {
  ledger
    .command('backup')
    .summary('copy the ledger to a file, while it is in use')
    .description(
      'Copy the ledger to a new file as it is now, while hubs, workers and runs keep using it. Only you can read the file. From PostgreSQL, the file is an export; use pg_dump for physical backups.',
    )
    .argument('<file>', 'the file to create; it must not exist')
    .addHelpText(
      'after',
      `
Examples:
  fermata ledger backup ledger-$(date +%F).db
  fermata inbox --all --store ledger-2026-11-20.db   a backup of a file is a ledger; look into it

Exit codes: 0 done, 1 failed, 2 the ledger is damaged, 130 interrupted; without 0, there is no file.`,
    )
    .action(async (file: string, options: CommonOptions) => {
      const settings = careSettings(options, 'copy the whole ledger');
      await withKnownStore(settings, async (store) => {
        const { kind, bytes } = await withProgress('Copying', (how) => backUp(store, file, how));
        const { place } = store;
        if (options.format === 'json') return printJson({ place, file, kind, bytes });
        await print(
          `Backed up ${place} to ${file} (${megabytes(bytes)}${kind === 'export' ? ', an export' : ''}).`,
        );
      });
    });
}

interface RestoreOptions extends CommonOptions {
  yes?: true;
}

function defineRestore(ledger: Command): void {
  ledger
    .command('restore')
    .summary('put a backup or an export in place of the ledger')
    .description(
      'Check a backup or an export, then put it in place of the ledger. The old ledger is kept under another name. Nothing else may use the ledger meanwhile.',
    )
    .argument('<file>', 'the backup or export')
    .option('-y, --yes', 'replace an existing ledger without asking')
    .addHelpText(
      'after',
      `
Examples:
  fermata ledger restore ledger-2026-11-20.db
  fermata ledger restore ledger-2026-11-20.db --store /tmp/look.db   to a new place
  fermata ledger restore export.jsonl --store postgres://me@db/new   into an empty database

Exit codes: 0 done, 1 failed, 2 the file cannot be used, 130 interrupted; without 0, nothing was changed.`,
    )
    .action(async (file: string, options: RestoreOptions) => {
      const { store } = careSettings(options, 'replace the ledger');
      const place = store.value;
      if (isServer(place)) return importInto(place, file, options);
      if (existsSync(place) && !options.yes) await requireYes(place);
      const { kept = null } = await withProgress('Restoring', (how) => restoreTo(place, file, how));
      if (options.format === 'json') return printJson({ place, file, kept });
      await print(`Restored ${file} to ${place}.`);
      if (kept !== null) tell(`The ledger that was there is now ${kept}.`);
    });
}

async function requireYes(place: string): Promise<void> {
  const isWanted = isAtTerminal() && (await confirm(`Replace the ledger at ${place}, and keep the old one?`));
  if (isWanted) return;
  throw new FermataError(
    'conflict',
    `There is a ledger at ${place}. Nothing was changed. To replace it, and keep it under another name, pass --yes; to restore to a new place, pass --store.`,
  );
}

function defineExport(ledger: Command): void {
  ledger
    .command('export')
    .summary('write the ledger as JSON Lines, from either store')
    .description(
      'Write the ledger as it is now to a new file, as JSON Lines that both stores can import. Only you can read the file. "-" is stdout.',
    )
    .argument('<file>', 'the file to create, or -')
    .addHelpText(
      'after',
      `
Examples:
  fermata ledger export ledger.jsonl
  fermata ledger export - | fermata ledger import - --store postgres://me@db/fermata`,
    )
    .action(async (file: string, options: CommonOptions) => {
      const settings = careSettings(options, 'export the whole ledger');
      await withKnownStore(settings, async (store) => {
        const { place } = store;
        const rows = await withProgress('Exporting', (how) =>
          file === STANDARD
            ? exportLines(store, (lines) => print(lines.join('\n')), how)
            : exportTo(store, file, how),
        );
        if (file === STANDARD) return tell(`Exported ${counted(rows, 'row')} of ${place}.`);
        if (options.format === 'json') return printJson({ place, file, rows });
        await print(`Exported ${counted(rows, 'row')} of ${place} to ${file}.`);
      });
    });
}

function defineImport(ledger: Command): void {
  ledger
    .command('import')
    .summary('read an export into an empty ledger')
    .description(
      'Read an export into an empty ledger: a new file, or an empty database on PostgreSQL. All of it is stored, or nothing. "-" is stdin.',
    )
    .argument('<file>', 'the export, or -')
    .addHelpText(
      'after',
      `
Examples:
  fermata ledger import ledger.jsonl --store new.db
  fermata ledger export - --store postgres://me@db/fermata | fermata ledger import - --store ledger.db`,
    )
    .action(async (file: string, options: CommonOptions) => {
      const { store } = careSettings(options, 'import a ledger');
      await importInto(store.value, file, options);
    });
}

async function importInto(store: string, file: string, options: CommonOptions): Promise<void> {
  const opened = await openStore(store);
  try {
    const { place } = opened;
    const rows = await withProgress('Importing', (how) =>
      file === STANDARD ? importLines(opened, process.stdin, 'stdin', how) : importFrom(opened, file, how),
    );
    if (options.format === 'json') return await printJson({ place, file, rows });
    await print(`Imported ${counted(rows, 'row')} into ${place}.`);
  } finally {
    await opened.close();
  }
}
