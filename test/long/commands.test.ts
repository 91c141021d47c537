// What `npm test` leaves out of the tests of other commands.
import '../cli/demo.test.ts';
import '../cli/draft-audit.test.ts';
import '../cli/outage.test.ts';
import '../cli/own-process.test.ts';
import '../cli/plan-binds.test.ts';
import '../cli/plan-from-issues/pipe.test.ts';
import '../cli/plan-from-issues/terminal.test.ts';
import '../cli/tasks-work.test.ts';
import '../cli/trust-terminal.test.ts';
import '../docs/blocks.test.ts';
import '../library/parrot.test.ts';
import '../platforms/macos.test.ts';
import '../platforms/same-name.test.ts';
import '../seeds/interactive-planning.test.ts';
