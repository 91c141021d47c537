// The same matrix as in `npm test`, with more deaths at each point.
import '../crash/kill-matrix.test.ts';
