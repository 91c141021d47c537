import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadSource } from '../../bench/support/load-source.mjs';
import { analyzeIssues, openContext, openLedger } from '../../dist/index.js';
import { atlasStory } from './atlas.mjs';
import { libraryStory } from './library.mjs';
import { tellStory } from './tell-story.mjs';
import { webshopStory } from './webshop.mjs';

/** Makes a ledger in `home`, and the folders of its projects in `folder`. Returns what the pictures show. */
export async function fillLedger(folder, home) {
  mkdirSync(home);
  const store = join(home, 'ledger.db');
  const ledger = await openLedger(store);
  try {
    const words = { analyzeIssues, ...(await loadWords()) };
    const project = (name) => addProject(ledger, join(folder, name), home);
    const library = await project('library');
    const shown = { project: library.id, root: library.root };
    const steps = [
      ...libraryStory({ ledger, words, project: library.id, shown }),
      ...webshopStory({ ledger, words, project: (await project('webshop')).id }),
      ...atlasStory({ ledger, words, project: (await project('atlas')).id }),
    ];
    await tellStory(steps, store);
    return shown;
  } finally {
    await ledger.close();
  }
}

async function addProject(ledger, cwd, home) {
  mkdirSync(cwd);
  const context = await openContext(ledger, { cwd, env: { FERMATA_HOME: home }, name: 'ann' });
  return context.project();
}

/** Gates, permissions and gaps are put into words by the product, so that the pictures have its current words. */
function loadWords() {
  return loadSource({
    approachId: 'work/gates/gate-questions.ts',
    approvalQuestions: 'work/gates/gate-questions.ts',
    testingQuestions: 'work/gates/gate-questions.ts',
    variantQuestions: 'work/gates/gate-questions.ts',
    diffMaterial: 'work/gates/material.ts',
    gateRunMaterial: 'work/gates/material.ts',
    textMaterial: 'work/gates/material.ts',
    walkthroughMaterial: 'work/gates/material.ts',
    permissionQuestion: 'agents/questions/permission-question.ts',
    asLedgerQuestion: 'app/plan-from-issues/store-questions.ts',
  });
}
