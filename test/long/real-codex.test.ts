// The tests of the newest Codex, run with the oldest supported one too, including those that only test/long runs.
import '../agents/codex/elicitation-real.test.ts';
import '../agents/codex/resume-real.test.ts';
import '../agents/codex/settings.test.ts';
import '../agents/codex/threads-real.test.ts';
