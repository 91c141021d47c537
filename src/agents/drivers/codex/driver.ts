import type { AgentDriver, AgentRun, AgentSetup } from '../../driver.ts';
import { restated } from '../../form.ts';
import { AgentProcess } from '../../process/agent-process.ts';
import { agentEnvironment } from '../../process/environment.ts';
import { findProgram } from '../../process/program.ts';
import { failedRun } from '../failed-run.ts';
import { probeVersion } from '../probe-version.ts';
import { codexNeeds } from './environment.ts';
import { type Beginning, CodexRun } from './run.ts';

const NAME = 'codex';

/** OpenAI's Codex CLI through its app-server: questions come through a tool of ours and go back into the same turn. */
export const codexDriver: AgentDriver = {
  name: NAME,
  async probe(setup) {
    const program = find(setup);
    return program
      ? probeVersion(NAME, program, environment(setup), setup.cwd)
      : { found: false, message: missing(setup) };
  },
  start: (setup, prompt) => begin(setup, { text: prompt }),
  /** Codex marks an open call as aborted when it ends, so question and answer are restated in the next turn. */
  resume: (setup, recipe, settled) => begin(setup, { threadId: recipe.sessionId, text: restated(settled) }),
};

function begin(setup: AgentSetup, beginning: Beginning): AgentRun {
  const program = find(setup);
  if (!program) return failedRun('missing', missing(setup));
  const process = new AgentProcess({
    program,
    args: [...(setup.args ?? []), ...ownPath, 'app-server'],
    cwd: setup.cwd,
    env: environment(setup),
  });
  return new CodexRun(process, setup, beginning);
}

/** A login shell would set the PATH anew, and our commands, which are first on it, would be gone. */
const ownPath = ['-c', 'allow_login_shell=false'];

function find(setup: AgentSetup): string | undefined {
  return findProgram(setup.program ?? NAME, setup.env, setup.cwd);
}

function environment(setup: AgentSetup): NodeJS.ProcessEnv {
  return agentEnvironment(setup.env, codexNeeds(setup.env), setup.identity ?? {});
}

const missing = (setup: AgentSetup) =>
  `There is no program ${setup.program ?? NAME}. Install Codex (npm install -g @openai/codex), or name it with --agent-command.`;
