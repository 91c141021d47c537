import { CLAUDES } from '../../clis/real-cli.ts';
import { claude } from './adapters/claude.ts';
import { describeDriver } from './conformance.ts';

for (const name of CLAUDES) describeDriver(claude(name));
