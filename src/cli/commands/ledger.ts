import type { Command } from 'commander';
import { defineCopies } from '../ledger/copies.ts';
import { defineRoles } from '../ledger/roles.ts';
import { defineUpkeep } from '../ledger/upkeep.ts';

export function define(ledger: Command): void {
  ledger
    .description(
      'Back up, restore, check and move the ledger, and remove what is old. On PostgreSQL, also set up its roles.',
    )
    .addHelpText(
      'after',
      `
Examples:
  fermata ledger backup ledger-2026-11-20.db
  fermata ledger restore ledger-2026-11-20.db
  fermata ledger check
  fermata ledger export - | fermata ledger import - --store postgres://me@db/fermata
  fermata ledger prune --before 2026-01-01 --dry-run

See docs/operations.md for what to do regularly.`,
    );
  defineCopies(ledger);
  defineUpkeep(ledger);
  defineRoles(ledger);
}
