// The tests of the newest Claude Code, run with the oldest supported one too, including those that only test/long runs.
import '../agents/claude/approvals.test.ts';
import '../agents/claude/background.test.ts';
import '../agents/claude/ledger.test.ts';
import '../agents/claude/real.test.ts';
import '../agents/claude/settings.test.ts';
import '../cli/convert-real.test.ts';
import '../cli/draft-real.test.ts';
import '../cli/outage-real.test.ts';
import '../mcp/real.test.ts';
