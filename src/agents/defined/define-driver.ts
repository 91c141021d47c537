import type { AgentDriver, AgentSetup, Probe } from '../driver.ts';
import { findProgram } from '../process/program.ts';
import { restated } from '../questions/answer-text.ts';
import { failedRun } from '../run/run-shell.ts';
import { DefinedRun } from './defined-run.ts';
import type { DriverDefinition, Launch } from './driver-definition.ts';

/**
 * Makes a driver for your own agent program, so that Fermata holds, answers, resumes and ends it like any other. Its
 * process runs in its own group and ends with ours; its questions outlive it.
 */
export function defineDriver(definition: DriverDefinition): AgentDriver {
  const { name } = definition;
  const probe = (setup: AgentSetup): Probe => {
    const wanted = setup.program ?? definition.program;
    const program = findProgram(wanted, setup.env, setup.cwd);
    if (program) return { found: true, program, version: 'unknown' };
    return { found: false, message: `${name}: program "${wanted}" not found. Install it.` };
  };
  const launch = (setup: AgentSetup, how: () => Launch) => {
    const probed = probe(setup);
    if (!probed.found) return failedRun('missing', probed.message);
    return new DefinedRun(definition, probed.program, setup, how());
  };
  return {
    name,
    probe: async (setup) => probe(setup),
    start: (setup, prompt) => launch(setup, () => definition.start(prompt, setup)),
    resume(setup, { sessionId }, settled) {
      if (sessionId === undefined)
        return failedRun('session_lost', `${name} did not report a session, so it cannot be resumed.`);
      const told = { text: restated(settled), notifications: settled };
      return launch(setup, () => definition.resume(sessionId, told, setup));
    },
  };
}
