import { claude } from './adapters/claude.ts';
import { describeDriver } from './conformance.ts';

describeDriver(claude('claude-2.1.325'));
