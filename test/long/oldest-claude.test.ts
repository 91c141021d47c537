// The tests of the newest Claude Code, with the oldest that is supported, and what only test/long has of them.
import '../agents/claude/approvals.test.ts';
import '../agents/claude/background.test.ts';
import '../agents/claude/ledger.test.ts';
import '../agents/claude/real.test.ts';
import '../agents/claude/settings.test.ts';
import '../cli/convert-real.test.ts';
import '../cli/draft-real.test.ts';
import '../cli/outage-real.test.ts';
import '../mcp/real.test.ts';
