import { holidaysDiff, hoursDiff } from './diffs.mjs';

const variants = [
  { letter: 'A', walkthrough: 'A table with one row per weekday. **Holidays** are rows of their own.' },
  { letter: 'B', walkthrough: 'A sentence such as “Mon–Fri 9–18”, made by `formatHours()`.' },
  {
    letter: 'C',
    walkthrough: 'A small calendar for the next four weeks.',
    failure: 'hours.test.ts: 2 of 31 failed',
  },
];

/** Phase 5 waits until a person has tested it. */
export function testingGate({ testingQuestions, diffMaterial, walkthroughMaterial }) {
  const walkthrough = 'Run `npm run import -- holidays-pt.json`, then open the page of a branch.';
  return {
    source: 'gate',
    sourceId: 'opening-hours/5',
    gate: {
      ...{ kind: 'testing', plan: 'opening-hours', phase: '5', round: 1 },
      file: 'gates/opening-hours-5-testing-1.yaml',
      material: [
        diffMaterial(holidaysDiff, counts(holidaysDiff), null),
        ...walkthroughMaterial([implementation(walkthrough)], null),
      ],
    },
    questions: testingQuestions('phase 5 (Import of public holidays)'),
  };
}

/** A person decides about the variants of phase 3. */
export function variantsGate({ variantQuestions, diffMaterial, gateRunMaterial, walkthroughMaterial }) {
  const letters = variants.map(({ letter }) => letter);
  return {
    source: 'gate',
    sourceId: 'opening-hours/3',
    gate: {
      ...{ kind: 'variants', plan: 'opening-hours', phase: '3', round: 1 },
      file: 'gates/opening-hours-3-variants-1.yaml',
      material: variants.flatMap(({ letter, walkthrough, failure }) => [
        diffMaterial(hoursDiff[letter], counts(hoursDiff[letter]), letter),
        gateRunMaterial(gateRuns(failure), letter),
        ...walkthroughMaterial([implementation(walkthrough)], letter),
      ]),
    },
    questions: variantQuestions('phase 3 (Show hours on the branch page)', letters, false),
  };
}

const implementation = (walkthrough) => ({
  kind: 'implementation',
  iteration: 1,
  data: { type: 'initial', walkthrough },
});

function gateRuns(failure) {
  const lint = { name: 'lint', command: 'npm run lint', passed: true, seconds: 1.2, output: '' };
  const tests = { name: 'tests', command: 'npm test', seconds: 8.4 };
  const outcome = failure
    ? { passed: false, problem: 'failed', output: failure }
    : { passed: true, output: '' };
  return [lint, { ...tests, ...outcome }];
}

/** "3 files, +41 -6" */
function counts(diff) {
  const count = (pattern) => diff.match(pattern)?.length ?? 0;
  const files = count(/^diff /gm);
  return `${files} ${files === 1 ? 'file' : 'files'}, +${count(/^\+(?!\+\+ )/gm)} -${count(/^-(?!-- )/gm)}`;
}
