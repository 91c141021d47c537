// The same matrices as in `npm test`, with more deaths at each point, or at more points.
import '../crash/agent-crash.test.ts';
import '../crash/convert.test.ts';
import '../crash/hub-work.test.ts';
import '../crash/kill-matrix.test.ts';
import '../crash/plan-from-issues.test.ts';
import '../work/worktrees/kill-matrix.test.ts';
