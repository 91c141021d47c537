// The same as in `npm test`, with many more sequences.
import '../agents/claude/hostile.test.ts';
import '../agents/questions/open-questions.test.ts';
import '../agents/stream/properties.test.ts';
import '../fuzz/notification-machine.test.ts';
import '../fuzz/stores-and-model.test.ts';
import '../fuzz/task-machine.test.ts';
