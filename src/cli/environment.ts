/** The environment variables that a person may set, with their meaning; the help of `config` and the docs list them. */
export const environment = {
  FERMATA_HOME:
    'the folder for everything outside repositories (default: $XDG_DATA_HOME/fermata, else ~/.local/share/fermata)',
  FERMATA_STORE: 'the ledger: a file, or postgres://… (put a password here or in PGPASSWORD, not in --store)',
  FERMATA_PROJECT: "the project's name",
  FERMATA_REMOTE:
    'the git remote to exchange commits through, or none (default: origin if the ledger is in PostgreSQL)',
  FERMATA_USER: 'your name in the history (default: your login name)',
  FERMATA_TRUST: "1: trust the repository's files without asking (for CI; has no effect for agents)",
  FERMATA_NO_REVIEW: '1: "run" merges phases that nobody reviewed (for CI; has no effect for agents)',
  FERMATA_SANDBOX: '1: agents and gate commands run in a sandbox',
  FERMATA_EMBEDDER_URL: 'your own server for searching documents by meaning',
  FERMATA_EMBEDDER_MODEL: 'the model on that server',
  FERMATA_EMBEDDER_KEY: 'the API key of that server',
  FERMATA_KEY:
    'the key of answer links, the same at every hub of a team (default: the file hub-key in FERMATA_HOME)',
  FERMATA_NOTIFY_WEBHOOK: "where the hub sends notices: a webhook that takes Slack's format",
  FERMATA_NOTIFY_NTFY: 'where the hub sends notices: an ntfy topic',
  FERMATA_NTFY_TOKEN: 'the token for that topic',
  FERMATA_NOTIFY_DESKTOP: "1: show notices on the desktop of the hub's machine",
  FERMATA_QA_PIPE: '1: ask the parent process, over stdin and stdout',
  FERMATA_QA_TIMEOUT: 'how many seconds to wait for each answer of the parent process',
  GH_TOKEN: 'the token for issues on GitHub',
  GITHUB_TOKEN: 'the same, if GH_TOKEN is not set',
  FAKE_CLAUDE_CONFIG: 'what the scripted agent does: a scenario file, or a folder of them',
  FERMATA_LOG:
    'json: messages on stderr are JSON lines (time, level, message), for programs that collect logs',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'where traces of requests, phases, agents and gates go, over OTLP/HTTP',
  OTEL_EXPORTER_OTLP_HEADERS: 'headers to send with traces: name=value,name=value',
  NO_COLOR: 'turn colours off',
} as const;

/** Some of them, or all, as lines of help. */
export function environmentHelp(names = Object.keys(environment) as (keyof typeof environment)[]): string {
  const width = Math.max(...names.map(({ length }) => length)) + 2;
  return names.map((name) => `  ${name.padEnd(width)}${environment[name]}`).join('\n');
}
