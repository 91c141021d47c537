import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { analyzeIssues, openContext, openLedger } from 'fermata-cli';
import { loadSource } from '../load-source.mjs';
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
    approachId: 'src/work/gates/gate-questions.ts',
    approvalQuestions: 'src/work/gates/gate-questions.ts',
    testingQuestions: 'src/work/gates/gate-questions.ts',
    variantQuestions: 'src/work/gates/gate-questions.ts',
    diffMaterial: 'src/work/gates/material.ts',
    gateRunMaterial: 'src/work/gates/material.ts',
    textMaterial: 'src/work/gates/material.ts',
    walkthroughMaterial: 'src/work/gates/material.ts',
    permissionQuestion: 'src/agents/questions/permission-question.ts',
    asLedgerQuestion: 'src/work/kinds/plan-from-issues/store-questions.ts',
  });
}
