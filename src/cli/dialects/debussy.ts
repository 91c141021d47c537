import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { FermataError } from '../../schema/error.ts';
import type { CommonOptions } from '../command.ts';
import type { Dialect } from '../command-entry.ts';
import { define } from '../commands/run.ts';
import { describeCommandFiles, writeClaudeCommands } from '../hooks/claude-commands.ts';
import { describeHook, installHook } from '../hooks/install.ts';
import { nameForAgents } from '../invoked-name.ts';
import { print, printJson, tell } from '../output.ts';

/** `debussy`'s names for our options. */
export const debussy: Dialect = {
  commands: [
    {
      name: 'init',
      group: 'Start here:',
      summary: 'set up /plan, /continue and the checkout hook in a project',
      load: async () => ({ define: defineInit }),
    },
    {
      name: 'plan-init',
      group: 'Work:',
      summary: 'create a plan from a template: the same as "fermata plan init"',
      load: async () => ({ define: (await import('../commands/plan.ts')).defineInit }),
    },
    {
      name: 'status',
      group: 'Work:',
      summary: 'show a plan and its progress: the same as "fermata plan show"',
      load: async () => ({ define: (await import('../commands/plan.ts')).defineShow }),
    },
    {
      name: 'resume',
      group: 'Work:',
      summary: 'continue a run: the same as "fermata run --resume"',
      load: async () => {
        return { define: (command) => command.setOptionValue('resume', true) && define(command) };
      },
    },
  ],
  adapt(command) {
    for (const add of Object.hasOwn(words, command.name()) ? (words[command.name()] ?? []) : []) add(command);
  },
};

type Word = (command: Command) => void;

const words: Record<string, Word[]> = {
  'plan-from-issues': [
    short('-r', 'repo'),
    short('-m', 'milestone'),
    short('-l', 'label'),
    (command) => command.addOption(source()),
    short('-t', 'timeout'),
    also('-o, --output-dir <dir>', 'output'),
    also('-f, --force', 'again'),
    also('--max-retries <number>', 'max-iterations'),
    (command) => command.addOption(skipQa()),
  ],
  convert: [
    short('-o', 'output'),
    short('-m', 'model'),
    short('-t', 'timeout'),
    short('-f', 'force'),
    also('--output-dir <dir>', 'output'),
    also('--max-retries <number>', 'max-iterations'),
  ],
  'plan-init': [short('-o', 'output'), short('-p', 'phases'), short('-t', 'template'), short('-f', 'force')],
};

/** A one-letter form of one of our options. */
function short(letter: string, name: string): Word {
  return (command) => {
    const option = optionNamed(command, name);
    option.short = letter;
    option.flags = `${letter}, ${option.flags}`;
  };
}

/** Another name for one of our options. */
function also(flags: string, name: string): Word {
  return (command) => {
    const option = optionNamed(command, name);
    const other = new Option(flags, `the same as --${name}`);
    other.attributeName = () => option.attributeName();
    if (option.parseArg) other.argParser(option.parseArg);
    command.addOption(other);
  };
}

function optionNamed(command: Command, name: string): Option {
  const option = command.options.find(({ long }) => long === `--${name}`);
  if (!option) throw new Error(`${command.name()} has no option --${name}`);
  return option;
}

const source = () =>
  new Option('-s, --source <tracker>', 'where the issues are: gh (GitHub)').choices(['gh']);

const skipQa = () =>
  new Option('--skip-qa', 'ask nothing, assume instead: the same as --max-questions 0').implies({
    maxQuestions: 0,
  });

interface InitOptions extends CommonOptions {
  force?: true;
}

function defineInit(command: Command): void {
  command
    .description(
      'Set up a project: write /plan and /continue for Claude Code into .claude/commands and install the checkout hook, as "fermata hooks" does.',
    )
    .argument('[target]', 'the folder of the project', '.')
    .option('-f, --force', 'replace /plan and /continue if they exist')
    .addHelpText(
      'after',
      `
Examples:
  debussy init
  debussy init path/to/project --force

A project works without this; the commands and the hook are a convenience.
Your own git hook is never replaced: the output shows the line to add to it.`,
    )
    .action(setUp);
}

async function setUp(target: string, { force, format }: InitOptions, command: Command): Promise<void> {
  const cwd = resolve(target);
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new FermataError('invalid', `${cwd} is not a folder. Pass the folder of your project.`);
  const files = writeClaudeCommands(cwd, nameForAgents(command), force);
  const { hook, problem } = await installedHook(cwd);
  if (problem !== undefined) tell(`fermata: the checkout hook is not installed. ${problem}`);
  if (format === 'json')
    return printJson({ files, hook: hook ?? null, ...(problem === undefined ? {} : { problem }) });
  await print([describeCommandFiles(files), ...(hook === undefined ? [] : [describeHook(hook)])].join('\n'));
  tell('Run "debussy doctor" to check the agents, git and gh on this machine.');
}

/** A folder without git, or with its own hook, is set up without our hook. */
async function installedHook(cwd: string): Promise<{ hook?: string; problem?: string }> {
  try {
    return { hook: await installHook(cwd) };
  } catch (error) {
    if (!(error instanceof FermataError)) throw error;
    return { problem: error.message };
  }
}
