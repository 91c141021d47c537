import type { Command } from 'commander';
import { didYouMean } from '../../config/near.ts';
import { loadSettings, type Settings } from '../../config/settings.ts';
import { FermataError } from '../../schema/error.ts';
import { type CommonOptions, refuseStray } from '../command.ts';
import { exitCodeOf } from '../exit.ts';
import { isNamedAnew } from '../named-store.ts';
import { describeError, print, printJson, tell } from '../output.ts';
import { hilConfigFor, type Session, withSession } from '../session.ts';
import {
  type EffectiveSetting,
  hilConfigInput,
  kindsIn,
  settingNames,
  settingsTable,
  showSettings,
} from '../settings-view.ts';

export function define(config: Command): void {
  config
    .description(
      'What applies in this folder and where each value comes from: flag, environment, file, ledger, default.',
    )
    .addHelpText(
      'after',
      `
Examples:
  fermata config                                             everything, with its origin
  fermata config store                                       one setting
  fermata config set hilConfig major_only
  fermata config set hilConfig.dependencyModifications requires_approval

Environment (a flag goes before it, fermata.config.json after it):
  FERMATA_HOME      where everything is kept that lies outside repositories
                    (default: $XDG_DATA_HOME/fermata, else ~/.local/share/fermata)
  FERMATA_STORE     the ledger: a file, or postgres://… (the place for a password, with PGPASSWORD)
  FERMATA_PROJECT   the project's name
  FERMATA_EMBEDDER_URL, FERMATA_EMBEDDER_MODEL, FERMATA_EMBEDDER_KEY
                    your own server for searching documents by meaning
  FERMATA_USER      your name in the history (default: your login name)
  FERMATA_AGENT     set for agents: who acts is an agent of this name, and may not answer or set anything
  NO_COLOR          no colours`,
    );
  config
    .command('show', { isDefault: true })
    .summary('print what applies here')
    .description('Print the values that apply here, and where each one comes from.')
    .argument('[name]', 'only this setting')
    .addHelpText('after', '\nExamples:\n  fermata config show\n  fermata config show hilConfig --format json')
    .action(async (name: string | undefined, options: CommonOptions) => {
      if (name !== undefined && !settingNames.includes(name)) refuseName(config, name);
      await show(name, options);
    });
  config
    .command('set')
    .summary('choose how much agents may do alone')
    .description('Choose how much agents may do alone in this project; kept in the ledger.')
    .argument(
      '<name>',
      'hilConfig, or hilConfig.scopeChanges, .architectureDecisions, .dependencyModifications',
    )
    .argument(
      '<value>',
      'for hilConfig: confirm_all, major_only, full; else: requires_approval, notify_and_proceed, automated',
    )
    .addHelpText(
      'after',
      `
Examples:
  fermata config set hilConfig confirm_all
  fermata config set hilConfig.dependencyModifications automated

A value in fermata.config.json goes first, so it is changed there and not here.`,
    )
    .action(async (name: string, value: string, options: CommonOptions) => {
      const input = hilConfigInput(name, value);
      await withSession(options, async (session) => {
        refuseWhereFileDecides(session, name, input);
        const project = await session.project();
        await session.ledger.projects.setHilConfig(project.id, input, session.by('command'));
        await printSettings(await showSettings(session.settings, session), options, 'hilConfig');
      });
    });
}

/** Shows what is known even where the ledger cannot be opened: this is where one looks why. */
async function show(name: string | undefined, options: CommonOptions): Promise<void> {
  const settings = loadSettings(process.cwd(), process.env, options);
  await printSettings(await withLedgerSettings(settings, options), options, name);
}

async function withLedgerSettings(settings: Settings, options: CommonOptions) {
  if (isNamedAnew(settings)) {
    tell(`There is no ledger at ${settings.store.value} yet.`);
    return showSettings(settings);
  }
  try {
    return await withSession(options, (session) => showSettings(settings, session));
  } catch (error) {
    if (!(error instanceof FermataError)) throw error;
    tell(`fermata: ${describeError(error, options.debug ?? false)}`);
    process.exitCode = exitCodeOf(error);
    return showSettings(settings);
  }
}

async function printSettings(
  all: Record<string, EffectiveSetting>,
  options: CommonOptions,
  name?: string,
): Promise<void> {
  const wanted = Object.entries(all).filter(([key]) => !name || key === name || key.startsWith(`${name}.`));
  const settings = Object.fromEntries(wanted);
  if (options.format === 'json') return printJson({ settings });
  await print(settingsTable(settings).join('\n'));
}

function refuseWhereFileDecides({ settings }: Session, name: string, input: string | object): void {
  const decided = kindsIn(hilConfigFor(settings) ?? {});
  if (!kindsIn(input).some((kind) => decided.includes(kind))) return;
  throw new FermataError(
    'conflict',
    `${name} is decided by ${settings.file?.path}. Change it there; that file goes before the ledger.`,
  );
}

function refuseName(config: Command, name: string): never {
  const meant = didYouMean(name, settingNames);
  const commands = config.commands.map((command) => command.name());
  if (!meant && didYouMean(name, commands)) refuseStray(config, [name]);
  throw new FermataError(
    'invalid',
    `There is no setting "${name}".${meant} The settings are ${settingNames.join(', ')}.`,
  );
}
