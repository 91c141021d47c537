import { installedClaude } from './adapters/claude.ts';
import { describeDriver } from './conformance.ts';

// `npm test` has test/agents/claude/background.test.ts and test/cli/outage-real.test.ts for it.
describeDriver(installedClaude('claude-2.1.325', ['background', 'after the answer']));
