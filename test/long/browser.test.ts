// What `npm test` leaves out of the tests of the pages.
import '../browser/extremes.test.ts';
import '../browser/pages.test.ts';
