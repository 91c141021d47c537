import { describeMatrix } from '../crash/support/matrix.ts';

describeMatrix('SQLite');
