import { codex } from './adapters/codex.ts';
import { describeDriver } from './conformance.ts';

describeDriver(codex);
