import { scripted } from './adapters/scripted.ts';
import { describeDriver } from './conformance.ts';

describeDriver({ ...scripted('2.1.197'), endings: ['Fermata is killed', 'nobody answers'] });
describeDriver(scripted('2.1.325'));
