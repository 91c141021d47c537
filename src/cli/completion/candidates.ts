import { loadSettings } from '../../config/settings.ts';
import { AutonomyLevel, AutonomyPreset } from '../../schema/autonomy.ts';
import { FermataError } from '../../schema/error.ts';
import { jsonSchemas } from '../../schema/json-schemas.ts';
import { questionTitle } from '../../schema/question-title.ts';
import { type CommandContext, withCommandContext } from '../command-context.ts';
import { isMissing } from '../named-store.ts';
import { settingNames } from '../settings-view.ts';
import { cut, oneLine } from '../table.ts';
import type { Candidate, Candidates } from './tab.ts';

/** Nobody picks from a longer list; the shell narrows it down by what is typed. */
const MAX = 200;

/** The candidates for the command that is being typed, besides its own names and choices. */
export async function candidatesFor([command]: string[]): Promise<Candidates> {
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
  const commands = ['show', 'depend', 'block', 'unblock', 'release', 'close', 'reopen'];
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
