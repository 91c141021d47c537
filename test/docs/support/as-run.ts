import { notRun } from './not-run.ts';

/** Commands of a page that a program cannot run as they are: how they begin, and what is run instead. */
const edits: [command: string, edit: (command: string) => string][] = [
  [
    'fermata ask "Which database?"',
    (command) =>
      `${command} > asked.txt 2> /dev/null < /dev/null &\nuntil fermata inbox 2> /dev/null | grep -q Which; do sleep 0.2; done`,
  ],
  [
    'fermata answer n-x6',
    (command) => `${command.replace('n-x6', '"$(last_open)"')}\nwait\ngrep -q PostgreSQL asked.txt`,
  ],
  [
    'fermata ask "Open on Sundays?"',
    (command) =>
      `${command} > sunday.txt 2> /dev/null < /dev/null &\nuntil fermata inbox 2> /dev/null | grep -q Sundays; do sleep 0.2; done`,
  ],
  ['fermata answer', (command) => `${command} "$(last_open)" 1\nwait\ngrep -q Yes sunday.txt`],
  [
    'fermata run plans/bakery --agent',
    (command) => `${orWaiting(command)}\nfermata answer "$(last_open)" 1\nfermata run --resume`,
  ],
  // There is no terminal to ask on.
  ['fermata plan-from-issues --from-dir issues --agent scripted', orWaiting],
  ['fermata plan-from-issues --from-dir examples/issues', orWaiting],
  ['FAKE_CLAUDE_CONFIG=examples/library-agent.json', orWaiting],
  [
    'fermata plan-from-issues --from-dir issues --answers-file',
    (command) => orWaiting(`FAKE_CLAUDE_CONFIG=examples/library-agent.json ${command} --agent scripted`),
  ],
  [
    'fermata run plans/login --parallel',
    (command) => orWaiting(`${withoutRemark(command)} --agent scripted`),
  ],
  ['fermata run --resume', orWaiting],
  // A new plan has placeholders, and the audit says so.
  ['fermata audit plans/user-login', (command) => `${withoutRemark(command)} || [ $? = 1 ]`],
  // A project's id, which the page marks as an example.
  ['curl -H "$H" http://127.0.0.1:4777/tokens', (command) => command.replace('"p-1"', `"'$P'"`)],
  ['curl -H "$H" -X PATCH', (command) => `N=$(last_open)\n${command}`],
  [
    'A="Authorization: Bearer $SECRET"',
    (command) =>
      `SECRET=$(curl -H "$H" $U/tokens -d '{"name":"second","role":"agent"}' | pick .data.secret)\n${command}`,
  ],
  ['curl -fH "Authorization: Bearer SECRET"', (command) => command.replace('SECRET', '$SECRET')],
];

/** The command as the test runs it; undefined if it does not. */
export function asRun(command: string): string | undefined {
  if (notRun.some(([begin]) => command.startsWith(begin))) return undefined;
  const edit = edits.find(([begin]) => command.startsWith(begin))?.[1];
  return (edit ? edit(command) : command).replaceAll('http://127.0.0.1:4777', '$HUB');
}

/** Entries that match no command of the pages any more. */
export function stale(commands: string[]): string[] {
  return [...notRun, ...edits]
    .map(([begin]) => begin)
    .filter((begin) => !commands.some((command) => command.startsWith(begin)));
}

function orWaiting(command: string): string {
  return `${withoutRemark(command)} || [ $? = 3 ]`;
}

function withoutRemark(command: string): string {
  return command.replace(/\s+#.*$/, '');
}
