import { runStep } from './run-step.ts';

/** One step with a worktree, in a process of its own that can be killed: `program.ts ROLE FOLDER HOME PHASE`. */
const [, , role = '', folder = '', home = '', phase = ''] = process.argv;
void runStep(role, folder, home, phase);
