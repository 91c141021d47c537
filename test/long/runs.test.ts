// What `npm test` leaves out of the tests of `fermata run`.
import '../cli/run/asking-program.test.ts';
import '../cli/run/autonomy.test.ts';
import '../cli/run/decided.test.ts';
import '../cli/run/door.test.ts';
import '../cli/run/environment.test.ts';
import '../cli/run/full-disk.test.ts';
import '../cli/run/hostile-git.test.ts';
import '../cli/run/interrupted.test.ts';
import '../cli/run/real-sandbox.test.ts';
import '../cli/run/review.test.ts';
import '../cli/run/run.test.ts';
import '../cli/run/sent-again.test.ts';
import '../cli/run/skipped.test.ts';
import '../cli/run/steering.test.ts';
import '../cli/run/terminal.test.ts';
import '../cli/run/tested-again.test.ts';
import '../cli/run/variants.test.ts';
