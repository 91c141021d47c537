// What `npm test` leaves out of the tests of worktrees and workers.
import '../crash/workers.test.ts';
import '../work/worktrees/discard-worktree.test.ts';
import '../work/worktrees/exchange.test.ts';
