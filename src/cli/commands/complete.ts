import { RootCommand, type Command as TabCommand } from '@bomb.sh/tab';
import type { Command, Option } from 'commander';
import { loadSettings } from '../../config/settings.ts';
import { AutonomyLevel, AutonomyPreset } from '../../schema/autonomy.ts';
import { FermataError } from '../../schema/error.ts';
import { jsonSchemas } from '../../schema/json-schemas.ts';
import { questionTitle } from '../../schema/question-title.ts';
import { type CommandContext, withCommandContext } from '../command-context.ts';
import { splitOptions } from '../leading-options.ts';
import { isMissing } from '../named-store.ts';
import { settingNames } from '../settings-view.ts';
import { cut, oneLine } from '../table.ts';

/** `fermata complete -- WORD…`: called by the shell's script with what was typed; it completes the last word. */
export function define(
  command: Command,
  name: string,
  buildProgram: (name: string, wanted: (command: string) => boolean) => Promise<Command>,
): void {
  command.argument('[words...]').action(async (words: string[]) => {
    const [, fromCommand] = splitOptions(words);
    const typed = fromCommand.length > 0 ? fromCommand : words;
    const program = await buildProgram(name, (each) => each === typed[0]);
    tabFor(program, await candidatesFor(typed)).parse(typed);
  });
}

/** Nobody picks from a longer list; the shell narrows it down by what is typed. */
const MAX = 200;

/** The candidates for the command that is being typed, besides its own names and choices. */
async function candidatesFor([command]: string[]): Promise<Candidates> {
  switch (command) {
    case 'answer':
    case 'withdraw':
      return { [`${command} <id>`]: await fromLedger(openQuestions) };
    case 'tasks':
      return taskArguments(await fromLedger(tasks));
    case 'config':
      return configArguments();
    case 'schema':
      return { 'schema <name>': names(Object.keys(jsonSchemas())) };
    default:
      return {};
  }
}

/** Empty if there is no ledger or it cannot be opened, because Tab must not show errors or create a ledger. */
async function fromLedger(read: (context: CommandContext) => Promise<Candidate[]>): Promise<Candidate[]> {
  try {
    if (isMissing(loadSettings(process.cwd(), process.env))) return [];
    return await withCommandContext({ format: 'text' }, read);
  } catch (error) {
    if (error instanceof FermataError) return [];
    throw error;
  }
}

async function openQuestions({ ledger, knownProject }: CommandContext): Promise<Candidate[]> {
  const project = await knownProject();
  const { notifications } = await ledger.notifications.list({ projectId: project?.id, limit: MAX });
  return notifications.map(({ id, questions: [first] }) => ({
    value: id,
    description: short(first ? questionTitle(first) : ''),
  }));
}

async function tasks({ ledger, knownProject }: CommandContext): Promise<Candidate[]> {
  const project = await knownProject();
  const found = project ? await ledger.tasks.list(project.id, { limit: MAX }) : [];
  return found.map(({ id, title }) => ({ value: id, description: short(title) }));
}

function taskArguments(found: Candidate[]): Candidates {
  const commands = ['show', 'depend', 'block', 'unblock', 'release', 'close', 'reopen', 'say', 'undo'];
  return {
    ...Object.fromEntries(commands.map((name) => [`tasks ${name} <id>`, found])),
    'tasks depend <on>': found,
    'tasks add --depends-on': found,
  };
}

function configArguments(): Candidates {
  return {
    'config show <name>': names(settingNames),
    'config set <name>': names(settingNames.filter((name) => name.startsWith('hilConfig'))),
    'config set <value>': names([...AutonomyPreset.options, ...AutonomyLevel.options]),
  };
}

const names = (values: readonly string[]): Candidate[] => values.map((value) => ({ value, description: '' }));

const short = (text: string) => cut(oneLine(text), 60);

interface Candidate {
  value: string;
  description: string;
}

/** The possible values of an argument or option, by command and name: `answer [id]`, `tasks close <id>`, `config set <name>`. */
type Candidates = Record<string, Candidate[]>;

/** Describes our commands to the library that finds what matches the typed text. */
function tabFor(program: Command, candidates: Candidates): RootCommand {
  const root = new RootCommand();
  describeOptions(root, program, candidates);
  for (const command of program.createHelp().visibleCommands(program))
    describe(root, command, '', candidates);
  return root;
}

function describe(root: RootCommand, command: Command, before: string, candidates: Candidates): void {
  const path = `${before}${command.name()}`;
  const tab = root.command(path, command.summary() || command.description());
  describeOptions(tab, command, candidates, path);
  for (const argument of command.createHelp().visibleArguments(command)) {
    const choices = (argument.argChoices ?? []).map(plain);
    const values = [...choices, ...(candidates[`${path} <${argument.name()}>`] ?? [])];
    tab.argument(argument.name(), (complete) => offer(values, complete), argument.variadic);
  }
  for (const each of command.createHelp().visibleCommands(command))
    describe(root, each, `${path} `, candidates);
}

function describeOptions(tab: TabCommand, command: Command, candidates: Candidates, path = ''): void {
  for (const option of command.createHelp().visibleOptions(command)) {
    const name = option.long?.slice(2);
    if (!name) continue;
    if (!takesValue(option)) {
      tab.option(name, option.description, option.short?.slice(1));
      continue;
    }
    const values = [...(option.argChoices ?? []).map(plain), ...(candidates[`${path} --${name}`] ?? [])];
    tab.option(name, option.description, (complete) => offer(values, complete), option.short?.slice(1));
  }
}

const takesValue = (option: Option) => option.required || option.optional;
const plain = (value: string): Candidate => ({ value, description: '' });

function offer(values: Candidate[], complete: (value: string, description: string) => void): void {
  for (const { value, description } of values) complete(value, description);
}
