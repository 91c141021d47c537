// The same as in `npm test`, with ten times the sequences.
import '../fuzz/stores-and-model.test.ts';
