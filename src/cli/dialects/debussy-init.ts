import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { FermataError } from '../../schema/error.ts';
import type { CommonOptions } from '../command.ts';
import { nameForAgents } from '../invoked-name.ts';
import { print, printJson, tell } from '../output.ts';

interface InitOptions extends CommonOptions {
  force?: true;
}

export function define(command: Command): void {
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
  const { describeCommandFiles, writeClaudeCommands } = await import('../hooks/claude-commands.ts');
  const { describeHook } = await import('../hooks/install.ts');
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
  const { installHook } = await import('../hooks/install.ts');
  try {
    return { hook: await installHook(cwd) };
  } catch (error) {
    if (!(error instanceof FermataError)) throw error;
    return { problem: error.message };
  }
}
