import type { Notification } from '../../schema/notification.ts';
import type { AgentDriver, AgentRun, AgentSetup } from '../driver.ts';
import { AgentProcess } from '../process/agent-process.ts';
import { agentEnvironment } from '../process/environment.ts';
import { probeVersion } from '../process/probe-version.ts';
import { findProgram } from '../process/program.ts';

import { restated } from '../questions/form.ts';
import { failedRun } from '../run/failed-run.ts';
import { codexNeeds } from './environment.ts';
import type { Beginning } from './open-thread.ts';
import { ownServer } from './own-server.ts';
import { personalRules } from './personal-rules.ts';
import { CodexRun } from './run.ts';
import { transcript } from './transcript.ts';

const NAME = 'codex';

/** OpenAI's Codex CLI through its app-server: questions come through a tool of ours and go back into the same turn. */
export const codexDriver: AgentDriver = {
  name: NAME,
  async probe(setup) {
    const program = find(setup);
    if (!program) return { found: false, message: missing(setup) };
    const probed = await probeVersion(NAME, program, environment(setup), setup.cwd);
    return probed.found ? { ...probed, notes: personalRules(setup.env) } : probed;
  },
  start: (setup, prompt) => begin(setup, { text: prompt }),
  /** Codex marks an open call as aborted when it ends, so question and answer are restated in the next turn. */
  resume: (setup, recipe, settled) => begin(setup, { threadId: recipe.sessionId, text: toldAgain(settled) }),
  transcript,
};

/** A sub-agent died with the process: the agent hears what it had asked. */
function toldAgain(settled: readonly Notification[]): string {
  const own = settled.filter(({ resume }) => resume?.subAgent === undefined);
  const theirs = settled.filter((each) => !own.includes(each));
  const told = theirs.map(
    (each) => `One of your sub-agents was stopped after it asked this.\n${restated([each])}`,
  );
  return [...(own.length > 0 || theirs.length === 0 ? [restated(own)] : []), ...told].join('\n');
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

/** A login shell would reset the PATH and lose our commands, which come first on it. */
const ownPath = ['-c', 'allow_login_shell=false'];

function find(setup: AgentSetup): string | undefined {
  return findProgram(setup.program ?? NAME, setup.env, setup.cwd);
}

function environment(setup: AgentSetup): NodeJS.ProcessEnv {
  return agentEnvironment(setup, codexNeeds(setup.env));
}

const missing = (setup: AgentSetup) =>
  `Program ${setup.program ?? NAME} not found. Install Codex (npm install -g @openai/codex), or pass its path with --agent-command.`;
