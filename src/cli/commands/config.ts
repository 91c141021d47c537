import type { Command } from 'commander';
import { didYouMean } from '../../config/near.ts';
import { loadSettings, type Settings } from '../../config/settings.ts';
import { cmd } from '../../schema/command-line.ts';
import type { Config } from '../../schema/config.ts';
import { FermataError } from '../../schema/error.ts';
import { ineffective } from '../../work/trust/gather.ts';
import { type CommonOptions, refuseStray } from '../command.ts';
import { type CommandContext, withCommandContext } from '../command-context.ts';
import { environmentHelp } from '../environment.ts';
import { exitCodeOf } from '../exit.ts';
import { isNewStore } from '../named-store.ts';
import { describeError, print, printJson, tell } from '../output.ts';
import {
  type EffectiveSetting,
  hilConfigInput,
  settingNames,
  settingsTable,
  showSettings,
} from '../settings-view.ts';

export function define(config: Command): void {
  config
    .description(
      'Show the settings in effect in this folder and where each one comes from: flag, environment, file, ledger or default.',
    )
    .addHelpText(
      'after',
      `
Examples:
  fermata config                                             everything, with its origin
  fermata config store                                       one setting
  fermata config set hilConfig major_only
  fermata config set hilConfig.dependencyModifications requires_approval

A repository's fermata.config.json applies only after you trust it ("fermata trust"). Your own settings override it.

Environment (flags override it, and it overrides fermata.config.json):
${environmentHelp()}`,
    );
  config
    .command('show', { isDefault: true })
    .summary('print the settings in effect')
    .description('Print the settings in effect here, and where each one comes from.')
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

A setting made here takes precedence over fermata.config.json.`,
    )
    .action(async (name: string, value: string, options: CommonOptions) => {
      const input = hilConfigInput(name, value);
      await withCommandContext(options, async (context) => {
        const project = await context.project();
        await context.ledger.projects.setHilConfig(project.id, input, context.by('command'));
        await printSettings(
          { settings: await showSettings(context.settings, context) },
          options,
          'hilConfig',
        );
      });
    });
}

/** Shows what is known even if the ledger cannot be opened, because this is where a person looks for the reason. */
async function show(name: string | undefined, options: CommonOptions): Promise<void> {
  const settings = loadSettings(process.cwd(), process.env, options);
  await printSettings(await withLedgerSettings(settings, options), options, name);
}

interface Shown {
  settings: Record<string, EffectiveSetting>;
  untrusted?: UntrustedConfig;
}

async function withLedgerSettings(settings: Settings, options: CommonOptions): Promise<Shown> {
  if (isNewStore(settings)) {
    tell(`There is no ledger at ${settings.store.value} yet.`);
    return { settings: await showSettings(settings) };
  }
  try {
    const fromLedger = async (context: CommandContext) => ({
      settings: await showSettings(settings, context),
      untrusted: await untrustedConfig(context),
    });
    // Does not wait for an unreachable store, because the person may be here to find out why it is unreachable.
    return await withCommandContext(options, fromLedger, 0);
  } catch (error) {
    if (!(error instanceof FermataError)) throw error;
    tell(`fermata: ${describeError(error, options.debug ?? false)}`);
    process.exitCode = exitCodeOf(error);
    return { settings: await showSettings(settings) };
  }
}

async function printSettings(
  { settings: all, untrusted }: Shown,
  options: CommonOptions,
  name?: string,
): Promise<void> {
  const wanted = Object.entries(all).filter(([key]) => !name || key === name || key.startsWith(`${name}.`));
  const settings = Object.fromEntries(wanted);
  if (options.format === 'json') return printJson({ settings, ...(untrusted ? { untrusted } : {}) });
  await print(settingsTable(settings).join('\n'));
  if (untrusted) tell(untrustedText(untrusted));
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

/** A configuration file that is not in effect yet, and what it would set. */
interface UntrustedConfig {
  file: string;
  state: 'new' | 'changed';
  settings: Config;
  /** Why it cannot be trusted. */
  problem?: string;
}

async function untrustedConfig({ ledger, settings }: CommandContext): Promise<UntrustedConfig | undefined> {
  const { file, own } = settings;
  if (!file) return undefined;
  const trusted = await ledger.trust.find(own.id, 'config');
  if (trusted?.content === file.text) return undefined;
  const { path, config, problem } = file;
  return {
    ...{ file: path, state: trusted ? 'changed' : 'new', settings: config },
    ...(problem === undefined ? {} : { problem }),
  };
}

function untrustedText({ file, state, settings, problem }: UntrustedConfig): string {
  if (problem !== undefined) return ineffective(problem);
  const { $schema, ...would } = settings;
  const what = Object.keys(would).length === 0 ? 'nothing' : JSON.stringify(would);
  const counts =
    state === 'new'
      ? 'has no effect until you trust it'
      : 'has changed, so the version you trusted still applies';
  return `${file} ${counts}. It would set ${what}. Run "${cmd`trust`}" to review it.`;
}
