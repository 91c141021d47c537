// The same crowd as in `npm test`, four times as large.
import '../testing/crowd.test.ts';
