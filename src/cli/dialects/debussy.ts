import { type Command, Option } from 'commander';
import type { Dialect } from './dialect.ts';

/** `debussy`'s names for our options. */
export const debussy: Dialect = {
  commands: [
    {
      name: 'init',
      group: 'Start here:',
      summary: 'set up /plan, /continue and the checkout hook in a project',
      load: () => import('./debussy-init.ts'),
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
        const { define } = await import('../commands/run.ts');
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
