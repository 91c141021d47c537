// `npm run bench -- gaps`: compares found gaps with justified ones, for our analysis and the ancestor's keywords.
// `--list` names each development issue on which we differ from its labels.
import { analyzeIssues } from '../src/index.ts';
import { keywordGaps } from './gaps/keyword-baseline.ts';
import { compare, halves, type LabelledIssue, labelled } from './gaps/labelled.ts';
import { type Figure, judge, size, table } from './support/budget.ts';

const ours = ({ issue }: LabelledIssue): string[] =>
  analyzeIssues([issue], { maxQuestions: 0 }).issues.flatMap(({ gaps }) => gaps.map((gap) => gap.gap_type));

judge([...halves.flatMap(judgeHalf), speed()]);

function judgeHalf(half: (typeof halves)[number]): Figure[] {
  const set = labelled(half);
  const judged = (gapsOf: (labelled: LabelledIssue) => string[]) =>
    compare(set.map((each) => ({ found: gapsOf(each), justified: each.gaps })));
  const columns = { ours: judged(ours), keywords: judged(({ issue }) => keywordGaps(issue)) };
  console.log(
    `\n${half}: ${set.length} issues, ${columns.ours.justified} justified gaps, ${columns.ours.complete} complete issues`,
  );
  console.log(table({ ours: rows(columns.ours), keywords: rows(columns.keywords) }));
  if (half === 'development' && process.argv.includes('--list')) list(set);
  return rows(columns.ours).filter(({ what }) => what === 'F1');
}

function rows({
  precision,
  recall,
  f1,
  questions,
  leftAlone,
  justified,
}: ReturnType<typeof compare>): Figure[] {
  return [
    { what: 'precision', value: precision, unit: '' },
    { what: 'recall', value: recall, unit: '' },
    { what: 'F1', value: f1, unit: '', atLeast: 0.75 },
    { what: 'questions', value: questions, unit: '', atMost: Math.round(justified * 1.33) },
    { what: 'complete issues left alone', value: leftAlone, unit: '' },
  ];
}

function list(set: readonly LabelledIssue[]): void {
  for (const each of set) {
    const { issue, gaps } = each;
    const found = ours(each);
    const missed = gaps.filter((gap) => !found.includes(gap)).map((gap) => `-${gap}`);
    const extra = found.filter((gap) => !gaps.includes(gap)).map((gap) => `+${gap}`);
    if (missed.length + extra.length > 0)
      console.log(`#${issue.number} ${issue.title}: ${[...missed, ...extra].join(' ')}`);
  }
}

function speed(): Figure {
  const body =
    'When I click "Save" with an empty name, it fails with `TypeError: x`. It should say so. '.repeat(
      size(12_000, 12),
    );
  const start = performance.now();
  analyzeIssues([{ number: 1, title: 'Save fails', body }]);
  const figure = { what: 'a body of 1 MB', value: performance.now() - start, unit: 'ms', atMost: 1000 };
  console.log(`\n${table({ ours: [figure] })}`);
  return figure;
}
