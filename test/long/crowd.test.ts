// The same crowd as in `npm test`, four times as large.
import '../agents/scripted/crowd.test.ts';
