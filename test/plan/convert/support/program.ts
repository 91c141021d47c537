import { writePlanFolder } from '../../../../src/plan/write-plan-folder.ts';

/** Writes a plan over whatever is there: `program.ts OUTPUT TITLE`. */
const [output = '', title = ''] = process.argv.slice(2);
writePlanFolder(
  output,
  [
    { name: 'MASTER_PLAN.md', content: `# ${title}\n` },
    { name: 'notes/one.md', content: 'one\n' },
    { name: 'phase-1.md', content: `# Phase 1: ${title}\n` },
  ],
  true,
);
