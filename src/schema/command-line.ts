/** Commands with subcommands. */
export const families = [
  'config',
  'decisions',
  'feedback',
  'gemini',
  'git',
  'hooks',
  'issues',
  'knowledge',
  'ledger',
  'plan',
  'prd',
  'project',
  'questions',
  'stream',
  'tasks',
];

let given: string[] = [];

/** Sets the options of this process that a person has to repeat: where the ledger and the project are. */
export function keepGiven(options: { store?: string | undefined; project?: string | undefined }): void {
  given = (['store', 'project'] as const).flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [`--${name}`, quoted(value)];
  });
}

/**
 * A command that a person can paste into a shell: cmd`answer ${id} VALUE` is `fermata answer --store my.db n-1 VALUE`.
 * Values are quoted, and the options of this process follow the command's name. Help texts have none, so they do not
 * use it.
 */
export function cmd(texts: TemplateStringsArray, ...values: (string | string[])[]): string {
  const line = values.reduce<string>(
    (before, value, index) => `${before}${[value].flat().map(quoted).join(' ')}${texts[index + 1]}`,
    texts[0] ?? '',
  );
  const words = line.trimEnd().split(' ');
  const hasTwoWords = families.includes(words[0] ?? '') && words[1]?.startsWith('-') === false;
  words.splice(hasTwoWords ? 2 : 1, 0, ...given);
  return `fermata ${words.join(' ')}`;
}

/** Quotes a word for a shell if it needs quotes. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
