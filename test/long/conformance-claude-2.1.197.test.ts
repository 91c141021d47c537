import { installedClaude } from '../agents/conformance/adapters/claude.ts';
import { describeDriver } from '../agents/conformance/conformance.ts';

describeDriver(installedClaude('claude-2.1.197'));
