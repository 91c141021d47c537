// The conformance of the channels as in `npm test`, with all pairs on both stores.
import '../channels/conformance.test.ts';
