import { installedCodex } from '../agents/conformance/adapters/codex.ts';
import { describeDriver } from '../agents/conformance/conformance.ts';

describeDriver(installedCodex('codex-0.115.0'));
