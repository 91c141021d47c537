import type { Command } from 'commander';
import { loadSettings } from '../../config/settings.ts';
import { refuseAgent } from '../../ledger/access/refuse-agent.ts';
import { type LedgerRoles, ledgerRoles } from '../../ledger/engine/ledger-roles.ts';
import { isServer } from '../../schema/address.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import type { CommonOptions } from '../command.ts';
import { currentActor } from '../command-context.ts';
import { print, printJson, tell } from '../output.ts';

interface RolesOptions extends CommonOptions {
  apply?: true;
}

export function defineRoles(ledger: Command): void {
  ledger
    .command('roles')
    .summary('give hubs, workers and readers roles of their own on PostgreSQL')
    .description(
      "Print the SQL that gives hubs, workers and readers roles of their own on PostgreSQL, each with only the rights it needs. With --apply, execute it as the owner of the ledger's tables.",
    )
    .option('--apply', "create or update the ledger's tables and queues, then execute the SQL")
    .addHelpText(
      'after',
      `
Examples:
  fermata ledger roles                                 print the SQL, to read it
  fermata ledger roles --apply                         after installing or upgrading Fermata
  fermata ledger roles | psql -d fermata -U postgres   as an administrator

FERMATA_STORE (or --store) must name the role that owns the tables; only --apply changes anything, and it can be repeated.
For the database "fermata", the roles are fermata_hub (hubs, and people at a terminal), fermata_worker and fermata_reader. They are
created without a password, so nobody can log in with one yet. Set it in psql, where it is not shown: \\password fermata_hub
To let an existing role do the same: grant fermata_worker to NAME
Exit codes: 0 done, 1 this role may not do it, 2 the ledger is not on PostgreSQL.`,
    )
    .action(async (options: RolesOptions) => {
      const apply = options.apply === true;
      refuseAgent({ actor: currentActor(), channel: 'command' }, "change the ledger's roles");
      const { store } = loadSettings(process.cwd(), process.env, options);
      if (!isServer(store.value)) {
        throw new FermataError(
          'invalid',
          `The ledger at ${store.value} (${store.from}) is a file, and whoever may read a file may read all of it. Only PostgreSQL has roles: set FERMATA_STORE to postgres://OWNER@HOST/DATABASE.`,
        );
      }
      const found = await ledgerRoles(store.value, { apply });
      if (options.format === 'json') {
        const { isReady, ...result } = found;
        await printJson({ applied: apply, ...result });
      } else await print(apply ? describe(found) : found.sql);
      if (!apply) {
        const how = found.isReady
          ? 'To execute this'
          : 'The tables do not exist yet. To create them and execute this';
        tell(`Nothing was changed. ${how}: ${cmd`ledger roles --apply`}`);
      }
      for (const statement of found.left)
        tell(`These roles may still create tables. As an administrator, execute: ${statement}`);
    });
}

function describe({ database, owner, roles }: LedgerRoles): string {
  const { hub, worker, reader } = roles;
  return [
    `The roles of the database ${database}, whose tables belong to ${owner}:`,
    `  ${hub}  for hubs, and for people at a terminal`,
    `  ${worker}  for workers`,
    `  ${reader}  for reading`,
    'If they have no password yet, set it in psql:',
    ...[hub, worker, reader].map((role) => `  \\password ${role}`),
  ].join('\n');
}
