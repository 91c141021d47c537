import { type Command, InvalidArgumentError } from 'commander';
import { checkLedger } from '../../ledger/care/check-ledger.ts';
import { compact } from '../../ledger/care/compact.ts';
import { type Pruned, prune } from '../../ledger/care/prune.ts';
import { isServer } from '../../schema/address.ts';
import { cmd } from '../../schema/command-line.ts';
import { counted } from '../../schema/counted.ts';
import { FermataError } from '../../schema/error.ts';
import type { CommonOptions } from '../command.ts';
import { exit } from '../exit.ts';
import { interruptible } from '../interrupt.ts';
import { refuseNewStore } from '../named-store.ts';
import { print, printJson, tell } from '../output.ts';
import { careSettings, megabytes, withKnownStore, withProgress } from './care.ts';

export function defineUpkeep(ledger: Command): void {
  defineCheck(ledger);
  definePrune(ledger);
  defineCompact(ledger);
}

function defineCheck(ledger: Command): void {
  ledger
    .command('check')
    .summary('look for damage in the ledger')
    .description(
      'Check the pages of the file and what must be true of every ledger: events without gaps, states that fit, the right number of open dependencies. It changes nothing, and others can keep using the ledger.',
    )
    .addHelpText(
      'after',
      `
Example:
  fermata ledger check

Exit codes: 0 sound, 1 something is wrong, 2 it cannot be opened.`,
    )
    .action(async (options: CommonOptions) => {
      const settings = careSettings(options, 'check the whole ledger');
      await withKnownStore(settings, async (store) => {
        const problems = await interruptible((signal) => checkLedger(store, signal));
        const isSound = problems.length === 0;
        if (!isSound) process.exitCode = exit.failed;
        if (options.format === 'json') return printJson({ place: store.place, ok: isSound, problems });
        if (isSound) return print(`The ledger at ${store.place} is sound.`);
        await print(problems.join('\n'));
        tell(
          `\nThe ledger at ${store.place} is damaged. Stop everything that uses it, then restore a backup: ${cmd`ledger restore FILE`}. It keeps this one.`,
        );
      });
    });
}

interface PruneOptions extends CommonOptions {
  before: number;
  dryRun?: true;
}

function definePrune(ledger: Command): void {
  ledger
    .command('prune')
    .summary('remove what was settled before a date')
    .description(
      'Remove events, delivered answers, ended runs and failed notices from before a date. Open questions, tasks, decisions, and answers to questions with a key stay.',
    )
    .requiredOption('--before <date>', 'such as 2026-01-01 or 2026-01-01T12:00Z', pastDate)
    .option('--dry-run', 'only say what would be removed')
    .addHelpText(
      'after',
      `
Examples:
  fermata ledger prune --before 2026-01-01 --dry-run
  fermata ledger prune --before 2026-01-01

Readers of events whose cursor is older are told so (code "gone"). "fermata ledger compact" gives the space back to the disk.`,
    )
    .action(async ({ before, dryRun, format, ...options }: PruneOptions) => {
      const settings = careSettings({ format, ...options }, 'remove what others did');
      await withKnownStore(settings, async (store) => {
        const pruned = await withProgress('Removing', (how) =>
          prune(store, before, { ...how, dryRun: dryRun ?? false }),
        );
        const { place } = store;
        if (format === 'json') {
          const { stay, ...removed } = pruned;
          return printJson({ place, before: new Date(before), dryRun: dryRun ?? false, removed, stay });
        }
        await print(`${dryRun ? 'Would remove' : 'Removed'} ${listed(pruned)}.`);
        const kept = describeStaying(pruned);
        if (kept !== undefined) tell(kept);
      });
    });
}

const listed = ({ events, notifications, runs, notices }: Pruned) =>
  [
    counted(events, 'event'),
    counted(notifications, 'notification'),
    counted(runs, 'run'),
    counted(notices, 'notice'),
  ].join(', ');

/** What is older than the date, but stays. */
function describeStaying({ stay: { notifications, tasks, events } }: Pruned): string | undefined {
  const kept = [
    ...(notifications > 0 ? [`${counted(notifications, 'notification')} (open or not delivered)`] : []),
    ...(tasks > 0 ? [`${counted(tasks, 'task')} (not closed)`] : []),
    ...(events > 0 ? [`${counted(events, 'event')} (a run or a notice still needs them)`] : []),
  ];
  return kept.length === 0 ? undefined : `Older, but kept: ${kept.join(', ')}.`;
}

/** A day begins here, not in UTC. */
function pastDate(text: string): number {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00`) : new Date(text);
  const ms = /^\d{4}-\d\d-\d\d/.test(text) ? time.getTime() : Number.NaN;
  if (Number.isNaN(ms)) throw new InvalidArgumentError('It must be a date such as 2026-01-01.');
  if (ms > Date.now()) throw new InvalidArgumentError('It is in the future. Name a date in the past.');
  return ms;
}

function defineCompact(ledger: Command): void {
  ledger
    .command('compact')
    .summary('give the space of removed rows back to the disk')
    .description(
      "Rewrite the ledger's file without the space of removed rows. Nothing else may use the ledger meanwhile. PostgreSQL does this by itself (autovacuum).",
    )
    .addHelpText('after', '\nExample:\n  fermata ledger prune --before 2026-01-01 && fermata ledger compact')
    .action(async (options: CommonOptions) => {
      const settings = careSettings(options, 'rewrite the ledger');
      const place = settings.store.value;
      if (isServer(place)) {
        throw new FermataError(
          'invalid',
          'PostgreSQL reuses the space of removed rows by itself (autovacuum). To give it back to the disk, have the owner of the tables run "vacuum full".',
        );
      }
      refuseNewStore(settings);
      const { bytesBefore, bytesAfter } = compact(place);
      if (options.format === 'json') return printJson({ place, bytesBefore, bytesAfter });
      await print(`Compacted ${place}: ${megabytes(bytesBefore)} before, ${megabytes(bytesAfter)} now.`);
    });
}
