import { scripted } from './adapters/scripted.ts';
import { describeDriver } from './conformance.ts';

describeDriver({ ...scripted('2.1.197'), inLong: ['broken off'] });
describeDriver(scripted('2.1.325'));
