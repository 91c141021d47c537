// The same race as in `npm test`, with more processes.
import '../race/race.test.ts';
