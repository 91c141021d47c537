import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { visible } from '../../schema/visible.ts';
import type { AgentSetup } from '../driver.ts';
import { agentEnvironment } from '../process/environment.ts';
import { findProgram, isScriptedAgent, ownProgram, SCENARIO } from '../process/program.ts';
import { isSandboxed } from '../sandbox/sandbox.ts';
import { type JsonRecord, list, record, texts } from '../stream/agent-reader.ts';

/** What may differ between programs that speak Claude Code's protocol. */
export interface ClaudeOptions {
  name: string;
  program: string;
  /** Precede all other arguments, such as the script that an interpreter runs. */
  args: string[];
  mode: Mode;
  /** The MCP server that asks in `mcp` mode. */
  mcp(): McpServer;
  /** The variables that the program gets besides the common ones. */
  needs(env: Record<string, string | undefined>): RegExp;
  /** Whether the program saves its sessions where Claude Code does. */
  savesTranscripts: boolean;
  /** Which of the person's own settings let it act without asking. */
  notes(env: Record<string, string | undefined>): string[];
  /** What to do if the program is missing. */
  advice: string;
}

export const claudeDefaults = {
  name: 'claude',
  program: 'claude',
  args: [],
  mode: 'control',
  mcp: ownMcpServer,
  needs: claudeNeeds,
  savesTranscripts: true,
  notes: personalSettings,
  advice:
    'Install Claude Code (npm install -g @anthropic-ai/claude-code), or use another agent (--agent codex, or --agent command --agent-command PROGRAM).',
} satisfies ClaudeOptions;

/** `fermata mcp` of this installation. */
function ownMcpServer(): McpServer {
  return { command: process.execPath, args: [ownProgram('fermata.cjs'), 'mcp'] };
}

/**
 * How the agent's questions reach us. `control`: through stdin and stdout, answered in the same process. `mcp`: the agent
 * calls our MCP server for every permission and question, and the server asks the person. `text`: not while it runs; we
 * read the refused questions from its result and answer them by resuming the session with a text.
 */
type Mode = 'control' | 'mcp' | 'text';

interface McpServer {
  command: string;
  args: string[];
}

interface Launch {
  mode: Mode;
  setup: Pick<AgentSetup, 'model' | 'instructions' | 'parkAfterMs' | 'sandbox' | 'hides'>;
  mcp(): McpServer;
  sessionId?: string;
}

/** Longer than any person takes. It is a hard limit; progress messages do not extend it. */
const A_WEEK_MS = 7 * 24 * 3600 * 1000;

/**
 * Claude Code asks a person, whatever mode the settings choose. All setting sources apply, because the person's contain
 * the login and the model, and the repository's are trusted before an agent starts.
 */
const PERMISSIONS = ['--permission-mode', 'default', '--setting-sources', 'user,project,local'];

/** In our sandbox it cannot create its own, so it asks about commands as usual. */
const NO_SANDBOX = ['--settings', JSON.stringify({ sandbox: { enabled: false } })];

/** Shows when a message is complete, because a run must not be parked on a question while the model may still add another. */
const WHOLE_MESSAGES = '--include-partial-messages';

/** The arguments of Claude Code, without the prompt, which goes through stdin. */
export function argv({ mode, setup, mcp, sessionId }: Launch): string[] {
  return [
    '-p',
    '--verbose',
    ...['--output-format', 'stream-json'],
    ...PERMISSIONS,
    ...(setup.sandbox ? NO_SANDBOX : []),
    ...asking(mode, mcp),
    ...(mode === 'control' && setup.parkAfterMs !== undefined ? [WHOLE_MESSAGES] : []),
    ...(setup.hides ?? []).flatMap((name) => ['--disallowedTools', `Read(./**/${name})`]),
    ...(setup.model ? ['--model', setup.model] : []),
    ...(setup.instructions ? ['--append-system-prompt', setup.instructions] : []),
    ...(sessionId ? ['--resume', sessionId] : []),
  ];
}

function asking(mode: Mode, mcp: Launch['mcp']): string[] {
  switch (mode) {
    case 'control':
      return ['--input-format', 'stream-json', '--permission-prompt-tool', 'stdio'];
    case 'mcp': {
      const { command, args } = mcp();
      const fermata = { type: 'stdio', command, args, timeout: A_WEEK_MS, alwaysLoad: true };
      const config = JSON.stringify({ mcpServers: { fermata } });
      return ['--mcp-config', config, '--permission-prompt-tool', 'mcp__fermata__permission'];
    }
    case 'text':
      return [];
    default:
      return mode satisfies never;
  }
}

/** The environment variables that the mode needs. */
function modeEnvironment(mode: Mode): Record<string, string> {
  switch (mode) {
    case 'control':
      // Makes the CLI report when it is idle, not only that a turn has ended.
      return { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' };
    case 'mcp':
      return { MCP_TOOL_TIMEOUT: String(A_WEEK_MS) };
    case 'text':
      return {};
    default:
      return mode satisfies never;
  }
}

/** An installed program with the arguments that it always gets. */
export interface Program {
  path: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

/** The program for this setup, or a sentence that says why there is none. */
export function programOf(options: ClaudeOptions, setup: AgentSetup): Program | string {
  const name = setup.program ?? options.program;
  const path = findProgram(name, setup.env, setup.cwd);
  if (path === undefined) {
    const where = name.includes('/') ? 'is not a program' : 'was not found on the PATH';
    return `${options.name}: "${name}" ${where}. ${options.advice}`;
  }
  // The driver's own arguments are only for its own program, not for one that the setup names.
  const args = setup.program === undefined ? options.args : [];
  const needs = options.needs(setup.env);
  const needed = isScriptedAgent(path) ? new RegExp(`${needs.source}|${SCENARIO.source}`) : needs;
  const env = agentEnvironment(setup, needed, modeEnvironment(options.mode));
  return { path, args: [...args, ...(setup.args ?? [])], env };
}

/** Variables that Claude Code reads, except those that identify the session it was started from. */
const ownVariables =
  /^(ANTHROPIC_\w+|CLAUDE_CONFIG_DIR|CLAUDE_CODE_(?!ENTRYPOINT|SSE_PORT|SESSION|CHILD|EXECPATH|REMOTE)\w+|DISABLE_\w+|ENABLE_\w+|MCP_\w+|MAX_(THINKING|MCP_OUTPUT)_TOKENS|BASH_(DEFAULT_TIMEOUT_MS|MAX_TIMEOUT_MS|MAX_OUTPUT_LENGTH)|API_TIMEOUT_MS|USE_BUILTIN_RIPGREP)$/;

/** If Claude runs through a cloud provider, the keys for that provider, and only then. */
const clouds: [flag: string, needed: RegExp][] = [
  [
    'CLAUDE_CODE_USE_BEDROCK',
    /^AWS_(REGION|DEFAULT_REGION|PROFILE|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|BEARER_TOKEN_BEDROCK|CONFIG_FILE|SHARED_CREDENTIALS_FILE|ROLE_ARN|ROLE_SESSION_NAME|WEB_IDENTITY_TOKEN_FILE|CONTAINER_\w+|CA_BUNDLE|ENDPOINT_URL\w*)$/,
  ],
  [
    'CLAUDE_CODE_USE_VERTEX',
    /^(GOOGLE_(APPLICATION_CREDENTIALS|CLOUD_PROJECT|CLOUD_QUOTA_PROJECT)|GCLOUD_PROJECT|CLOUDSDK_\w+|CLOUD_ML_REGION|VERTEX_REGION_\w+)$/,
  ],
  [
    'CLAUDE_CODE_USE_FOUNDRY',
    /^AZURE_(CLIENT_ID|CLIENT_SECRET|TENANT_ID|FEDERATED_TOKEN_FILE|AUTHORITY_HOST)$/,
  ],
];

/** The variables that Claude Code needs besides the common ones, given its configuration. */
export function claudeNeeds(env: NodeJS.ProcessEnv): RegExp {
  const open = clouds.filter(([flag]) => isOn(env[flag])).map(([, needed]) => needed);
  return new RegExp([ownVariables, ...open].map((part) => part.source).join('|'));
}

function isOn(value: string | undefined): boolean {
  return /^(1|true|yes|on)$/i.test(value?.trim() ?? '');
}

/** At most this many rules are listed; the file has the rest. */
const MAX_NAMED = 5;

/** Where Claude Code keeps its settings and its transcripts. */
export function claudeFolder({ CLAUDE_CONFIG_DIR, HOME }: NodeJS.ProcessEnv): string | undefined {
  return CLAUDE_CONFIG_DIR || (HOME ? join(HOME, '.claude') : undefined);
}

/** Sentences that say which of the person's own Claude Code settings let an agent act without asking. */
export function personalSettings(env: NodeJS.ProcessEnv): string[] {
  const folder = claudeFolder(env);
  if (folder === undefined) return [];
  const file = join(folder, 'settings.json');
  const { permissions, hooks, sandbox } = record(parsed(file));
  const rules = texts(record(permissions).allow);
  const events = Object.entries(record(hooks)).filter(([, entries]) => list(entries).length > 0);
  return [
    ...(rules.length > 0 ? [`Your own settings allow without asking: ${named(rules)} (${file}).`] : []),
    ...(events.length > 0
      ? [`Your own hooks run for ${named(events.map(([event]) => event))} (${file}).`]
      : []),
    ...(runsSandboxed(record(sandbox)) && !isSandboxed(env)
      ? [`Your own settings let commands run in Claude Code's sandbox without asking (${file}).`]
      : []),
  ].map(visible);
}

/** Claude Code asks about a command in its sandbox only if configured to. */
const runsSandboxed = ({ enabled, autoAllowBashIfSandboxed }: JsonRecord) =>
  enabled === true && autoAllowBashIfSandboxed !== false;

function named(all: string[]): string {
  const more = all.length - MAX_NAMED;
  return [...all.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** A file that Claude Code cannot read either has no effect. */
function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
