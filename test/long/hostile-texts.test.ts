// All rows of the tables of hostile texts, of which `npm test` has every fourth.
import '../issues/gaps/hostile.test.ts';
import '../plan/audit/large.test.ts';
