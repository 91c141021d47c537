// The same as in `npm test`, with many more sequences.
import '../fuzz/notification-machine.test.ts';
import '../fuzz/stores-and-model.test.ts';
import '../fuzz/task-machine.test.ts';
