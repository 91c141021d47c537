/** The part of the real program's command line that a host of agents uses. */
export interface Arguments {
  print: boolean;
  verbose: boolean;
  output: 'text' | 'json' | 'stream-json';
  input: 'text' | 'stream-json';
  permissionTool?: string;
  permissionMode: string;
  resume?: string;
  sessionId?: string;
  fork: boolean;
  model?: string;
  scenario?: string;
  version: boolean;
  /** The arguments that are not options: the prompt. */
  prompt?: string;
}

/** Options of the real program that take a value and have no effect here. */
const IGNORED_WITH_VALUE = new Set([
  '--add-dir',
  '--agents',
  '--allowed-tools',
  '--allowedTools',
  '--append-system-prompt',
  '--betas',
  '--disallowed-tools',
  '--disallowedTools',
  '--effort',
  '--fallback-model',
  '--json-schema',
  '--max-budget-usd',
  '--max-turns',
  '--mcp-config',
  '--setting-sources',
  '--settings',
  '--system-prompt',
  '--tools',
]);
const IGNORED = new Set([
  '--debug',
  '--include-partial-messages',
  '--replay-user-messages',
  '--strict-mcp-config',
]);

/** Reads the command line as the real program does; an unknown option is an error. */
export function parseArguments(args: readonly string[]): Arguments | { error: string } {
  const parsed: Arguments = {
    print: false,
    verbose: false,
    output: 'text',
    input: 'text',
    permissionMode: 'default',
    fork: false,
    version: false,
  };
  const words: string[] = [];
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      words.push(...rest.splice(0));
      break;
    }
    const [name = word, inline] = word.startsWith('--') ? splitOnce(word) : [word];
    const value = () => inline ?? rest.shift() ?? '';
    if (!word.startsWith('-') || word === '-') words.push(word);
    else if (name === '-p' || name === '--print') parsed.print = true;
    else if (name === '--verbose') parsed.verbose = true;
    else if (name === '-v' || name === '--version') parsed.version = true;
    else if (name === '--fork-session') parsed.fork = true;
    else if (name === '--dangerously-skip-permissions') parsed.permissionMode = 'bypassPermissions';
    else if (name === '--output-format') parsed.output = value() as Arguments['output'];
    else if (name === '--input-format') parsed.input = value() as Arguments['input'];
    else if (name === '--permission-prompt-tool') parsed.permissionTool = value();
    else if (name === '--permission-mode') parsed.permissionMode = value();
    else if (name === '--resume' || name === '-r') parsed.resume = value();
    else if (name === '--session-id') parsed.sessionId = value();
    else if (name === '--model') parsed.model = value();
    else if (name === '--scenario') parsed.scenario = value();
    else if (IGNORED_WITH_VALUE.has(name)) value();
    else if (!IGNORED.has(name)) return { error: `error: unknown option '${name}'` };
  }
  const problem = contradiction(parsed);
  if (problem) return { error: problem };
  return words.length > 0 ? { ...parsed, prompt: words.join(' ') } : parsed;
}

function contradiction(args: Arguments): string | undefined {
  if (args.version) return undefined;
  if (!['text', 'json', 'stream-json'].includes(args.output))
    return `error: option '--output-format <format>' argument '${args.output}' is invalid. Allowed choices are text, json, stream-json.`;
  if (!['text', 'stream-json'].includes(args.input))
    return `error: option '--input-format <format>' argument '${args.input}' is invalid. Allowed choices are text, stream-json.`;
  if (args.input === 'stream-json' && args.output !== 'stream-json')
    return 'Error: --input-format=stream-json requires output-format=stream-json.';
  if (args.print && args.output === 'stream-json' && !args.verbose)
    return 'Error: When using --print, --output-format=stream-json requires --verbose';
  if (!args.print && args.input === 'text')
    return 'Error: the scripted agent has no interactive mode. Start it with -p or with --input-format stream-json.';
  if (args.permissionTool !== undefined && args.permissionTool !== 'stdio')
    return `Error: the scripted agent asks for permission only over stdio, not with ${args.permissionTool}.`;
  return undefined;
}

function splitOnce(word: string): [string, string?] {
  const at = word.indexOf('=');
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}
