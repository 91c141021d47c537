import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Notification } from '../../schema/notification.ts';
import { visible } from '../../schema/visible.ts';
import type { AgentDriver, AgentRun, AgentSetup } from '../driver.ts';
import { AgentProcess } from '../process/agent-process.ts';
import { agentEnvironment } from '../process/environment.ts';
import { probeVersion } from '../process/probe-version.ts';
import { findProgram, ownProgram } from '../process/program.ts';
import { restated } from '../questions/answer-text.ts';
import { askHuman, HUMAN_SERVER } from '../questions/ask-human.ts';
import { failedRun } from '../run/run-shell.ts';
import type { Beginning } from './connection.ts';
import { CodexRun } from './run.ts';
import { codexFolder, transcript } from './transcript.ts';

const NAME = 'codex';

/** OpenAI's Codex CLI through its app-server: questions come through our tool, and the answers go back into the same turn. */
export const codexDriver: AgentDriver = {
  name: NAME,
  async probe(setup) {
    const program = find(setup);
    if (!program) return { found: false, message: missing(setup) };
    const probed = await probeVersion(NAME, program, environment(setup), setup.cwd);
    return probed.found ? { ...probed, notes: personalRules(setup.env) } : probed;
  },
  start: (setup, prompt) => begin(setup, { text: prompt }),
  /** Codex marks an open call as aborted when it exits, so the next turn repeats question and answer. */
  resume: (setup, recipe, settled, words) =>
    begin(setup, { threadId: recipe.sessionId, text: answersForNewTurn(settled, words) }),
  transcript,
};

/** A sub-agent died with the process, so the agent gets the answers to its questions. */
function answersForNewTurn(settled: readonly Notification[], words = ''): string {
  const asked = settled.filter(({ resume }) => resume?.subAgent === undefined);
  const askedBySubAgents = settled.filter((each) => !asked.includes(each));
  const restatements = askedBySubAgents.map(
    (each) => `One of your sub-agents was stopped after it asked this.\n${restated([each])}`,
  );
  return [
    ...restatements,
    ...(asked.length > 0 || words !== '' || askedBySubAgents.length === 0 ? [restated(asked, words)] : []),
  ].join('\n');
}

function begin(setup: AgentSetup, beginning: Beginning): AgentRun {
  const program = find(setup);
  if (!program) return failedRun('missing', missing(setup));
  const process = new AgentProcess({
    program,
    args: [...(setup.args ?? []), ...ownPath, ...ownServer(), 'app-server'],
    cwd: setup.cwd,
    env: environment(setup),
    sandbox: setup.sandbox,
  });
  return new CodexRun(process, setup, beginning);
}

/** A login shell would reset the PATH and drop the folder of our commands from its front. */
const ownPath = ['-c', 'allow_login_shell=false'];

function find(setup: AgentSetup): string | undefined {
  return findProgram(setup.program ?? NAME, setup.env, setup.cwd);
}

function environment(setup: AgentSetup): NodeJS.ProcessEnv {
  return agentEnvironment(setup, codexNeeds(setup.env));
}

const missing = (setup: AgentSetup) =>
  `Program ${setup.program ?? NAME} not found. Install Codex (npm install -g @openai/codex), or pass its path with --agent-command.`;

type Env = Record<string, string | undefined>;

const OWN_VARIABLES = 'OPENAI_\\w+|CODEX_(?!SANDBOX)\\w+|AZURE_OPENAI_\\w+|RUST_LOG';

/** The variables that Codex needs besides the common ones: its own, and the keys that its configuration names. */
function codexNeeds(env: Env): RegExp {
  const folder = codexFolder(env);
  const named = folder ? keysNamedIn(join(folder, 'config.toml')) : [];
  return new RegExp(`^(?:${[OWN_VARIABLES, ...named].join('|')})$`);
}

function keysNamedIn(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return []; // no configuration: Codex uses its defaults
  }
  return [...text.matchAll(/^\s*env_key\s*=\s*["']([A-Za-z_]\w*)["']/gm)].map((match) => match[1] ?? '');
}

const A_WEEK_S = 7 * 24 * 3600;

/**
 * Arguments that give every thread of Codex an MCP server with our tool, because Codex does not offer our other tools to
 * sub-agents. The server waits as long as a person takes. The main thread keeps the host's tool: Codex calls MCP servers one
 * at a time and adds its own text to what they return.
 */
function ownServer(): string[] {
  const { name, description, inputSchema } = askHuman;
  const tool = { name, description, inputSchema, annotations: { readOnlyHint: true } };
  const settings = {
    command: process.execPath,
    args: [ownProgram('ask-human.cjs'), JSON.stringify(tool)],
    tool_timeout_sec: A_WEEK_S,
  };
  return Object.entries(settings).flatMap(([key, value]) => [
    '-c',
    `mcp_servers.${HUMAN_SERVER}.${key}=${JSON.stringify(value)}`,
  ]);
}

/** Sentences that say which of the person's own Codex files let an agent act without asking. */
function personalRules(env: Record<string, string | undefined>): string[] {
  const folder = codexFolder(env);
  if (folder === undefined) return [];
  const rules = namesIn(join(folder, 'rules')).filter((name) => name.endsWith('.rules'));
  const hooks = namesIn(folder).filter((name) => name === 'hooks.json');
  return [
    ...rules.map(
      (name) => `Your own rules decide what runs without asking (${join(folder, 'rules', name)}).`,
    ),
    ...hooks.map((name) => `Your own hooks run (${join(folder, name)}).`),
  ].map(visible);
}

/** Empty if the folder is missing or not readable. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
