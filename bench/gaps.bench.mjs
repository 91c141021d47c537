// `npm run bench -- gaps`: compares found gaps with justified ones, for our analysis and the ancestor's keywords.
// `--list` names each development issue on which we differ from its labels.
import { analyzeIssues } from '../dist/index.js';
import { keywordGaps } from './gaps/keyword-baseline.mjs';
import { compare, labelled } from './gaps/labelled.mjs';
import { isOver, table } from './support/budget.mjs';

const ours = (issue) => analyzeIssues([issue], { maxQuestions: 0 }).issues[0].gaps.map((gap) => gap.gap_type);

const figures = ['development', 'held-out'].map(judgeHalf);
figures.push(speed());
process.exitCode = figures.some(isOver) ? 1 : 0;

function judgeHalf(half) {
  const set = labelled(half);
  const judged = (gapsOf) =>
    compare(set.map(({ issue, gaps }) => ({ found: gapsOf(issue), justified: gaps })));
  const columns = { ours: judged(ours), keywords: judged(keywordGaps) };
  console.log(
    `\n${half}: ${set.length} issues, ${columns.ours.justified} justified gaps, ${columns.ours.complete} complete issues`,
  );
  console.log(table({ ours: rows(columns.ours), keywords: rows(columns.keywords) }));
  if (half === 'development' && process.argv.includes('--list')) list(set);
  return rows(columns.ours).find(({ what }) => what === 'F1');
}

function rows({ precision, recall, f1, questions, leftAlone, justified }) {
  return [
    { what: 'precision', value: precision, unit: '' },
    { what: 'recall', value: recall, unit: '' },
    { what: 'F1', value: f1, unit: '', atLeast: 0.75 },
    { what: 'questions', value: questions, unit: '', atMost: Math.round(justified * 1.33) },
    { what: 'complete issues left alone', value: leftAlone, unit: '' },
  ];
}

function list(set) {
  for (const { issue, gaps } of set) {
    const found = ours(issue);
    const missed = gaps.filter((gap) => !found.includes(gap)).map((gap) => `-${gap}`);
    const extra = found.filter((gap) => !gaps.includes(gap)).map((gap) => `+${gap}`);
    if (missed.length + extra.length > 0)
      console.log(`#${issue.number} ${issue.title}: ${[...missed, ...extra].join(' ')}`);
  }
}

function speed() {
  const body =
    'When I click "Save" with an empty name, it fails with `TypeError: x`. It should say so. '.repeat(12_000);
  const start = performance.now();
  analyzeIssues([{ number: 1, title: 'Save fails', body }]);
  const figure = { what: 'a body of 1 MB', value: performance.now() - start, unit: 'ms', atMost: 1000 };
  console.log(`\n${table({ ours: [figure] })}`);
  return figure;
}
