import { command } from './adapters/command.ts';
import { describeDriver } from './conformance.ts';

describeDriver(command);
