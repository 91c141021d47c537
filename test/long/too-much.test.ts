// What `npm test` leaves out of the limits of the hub.
import '../hub/security/too-much.test.ts';
