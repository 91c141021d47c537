// The whole suite with the versions of which `npm test` runs a part. HEAR-11
import '../agents/conformance/claude-2.1.197.test.ts';
import '../agents/conformance/claude-2.1.325.test.ts';
import '../agents/conformance/codex-0.115.0.test.ts';
import '../agents/conformance/codex-0.166.0.test.ts';
import '../agents/conformance/scripted.test.ts';
