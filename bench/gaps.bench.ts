// `npm run bench -- gaps`: compares the gaps that the rules find, a recorded model finds, and both find together with those
// that are justified. `--ablate` says what each rule contributes, `--list` where the rules differ from the labels, and
// `--set FILE` measures other labelled issues.
import { analyzeIssues } from '../src/index.ts';
import { readJudgement } from '../src/issues/analyst/read-judgement.ts';
import { analyzeChecked } from '../src/issues/gaps/analyze.ts';
import { rules } from '../src/issues/gaps/rules.ts';
import { checkIssues } from '../src/issues/issue.ts';
import type { JudgedIssue } from '../src/schema/judgement.ts';
import { GapType } from '../src/schema/qa.ts';
import {
  attention,
  type Labelled,
  labelled,
  type Pair,
  quality,
  type Recording,
  recordings,
  sets,
} from './gaps/labelled.ts';
import { type Figure, judge, size, table } from './support/budget.ts';

const { argv } = process;
const other = argv.includes('--set') ? argv[argv.indexOf('--set') + 1] : undefined;
const files: Record<string, string> = other ? { [other]: other } : sets;

if (argv.includes('--ablate')) ablate();
else judge([...Object.entries(files).flatMap(([name, file]) => compare(name, labelled(file))), speed()]);

function analyze(issues: readonly Labelled[], without?: string) {
  const given = issues.map(({ title, body, labels }, index) => ({ number: index + 1, title, body, labels }));
  return analyzeIssues(given, { maxQuestions: Number.POSITIVE_INFINITY, ...(without ? { without } : {}) });
}

function byRules(issues: readonly Labelled[], without?: string): Pair[] {
  const { issues: reports } = analyze(issues, without);
  return issues.map(({ gaps }, index) => ({
    found: reports[index]?.gaps.map(({ gap_type }) => gap_type) ?? [],
    justified: gaps,
  }));
}

function compare(name: string, issues: Labelled[]): Figure[] {
  const alone = byRules(issues);
  const ours = rows(alone, analyze(issues).questions.length);
  const columns: Record<string, Figure[]> = { rules: name === 'real' ? ours.map(withBudget) : ours };
  for (const recording of name === 'real' ? recordings() : []) {
    const column = recording.isCurrent ? recording.name : `${recording.name} (older prompt)`;
    columns[column] = rows(issues.map(({ id, gaps }) => ({ found: recording.gapsOf(id), justified: gaps })));
    if (!recording.answerAbout) continue;
    const { pairs, questions } = merged(recording, issues);
    columns.merged = rows(pairs, questions);
  }
  console.log(`\n${name}: ${issues.length} issues`);
  console.log(table(columns));
  if (argv.includes('--list')) list(issues, alone);
  return columns.rules ?? [];
}

/** What the Analyst makes of the rules' findings, by the code that plans use. */
function merged(
  { answerAbout }: Recording,
  issues: readonly Labelled[],
): { pairs: Pair[]; questions: number } {
  const given = issues.map(({ title, body, labels }, index) => ({ number: index + 1, title, body, labels }));
  const checked = checkIssues(given, 'the bench');
  const judged = new Map<number, JudgedIssue>();
  checked.forEach((issue, index) => {
    const answer = answerAbout?.(issues[index]?.id ?? '', issue.number) ?? '';
    const read = readJudgement(answer, [{ issue, hash: '' }], () => undefined);
    if (read.kind === 'answer') for (const each of read.value) judged.set(each.number, each);
  });
  const { questions } = analyzeChecked(checked, { judged, maxQuestions: Number.POSITIVE_INFINITY });
  const foundIn = (number: number) =>
    questions.filter((question) => question.issues.includes(number)).flatMap(({ covers }) => covers);
  const pairs = issues.map(({ gaps }, index) => ({
    found: [...new Set(foundIn(index + 1))],
    justified: gaps,
  }));
  return { pairs, questions: questions.length };
}

function rows(pairs: readonly Pair[], questions?: number): Figure[] {
  const { precision, recall, f1 } = quality(pairs);
  const { complete, leftAlone, askedAbout } = attention(pairs);
  const figure = (what: string, value: number) => ({ what, value, unit: '' });
  return [
    ...[figure('precision', precision), figure('recall', recall), figure('F1', f1)],
    ...GapType.options
      .filter((type) => pairs.some(({ justified }) => justified.includes(type)))
      .map((type) => figure(`F1 of ${type}`, quality(pairs, type).f1)),
    figure(`left alone, of ${complete} complete ones`, leftAlone),
    figure(`asked about, of ${pairs.length - complete} others`, askedAbout),
    ...(questions === undefined ? [] : [figure('questions', questions)]),
  ];
}

function withBudget(figure: Figure): Figure {
  if (figure.what === 'F1') return { ...figure, atLeast: 0.7 };
  return figure.what.startsWith('left alone') ? { ...figure, atLeast: 16 } : figure;
}

function list(issues: Labelled[], pairs: Pair[]): void {
  pairs.forEach(({ found, justified }, index) => {
    const missed = justified.filter((gap) => !found.includes(gap)).map((gap) => `-${gap}`);
    const extra = found.filter((gap) => !justified.includes(gap)).map((gap) => `+${gap}`);
    if (missed.length + extra.length === 0) return;
    console.log(`${issues[index]?.id} ${issues[index]?.title}: ${[...missed, ...extra].join(' ')}`);
  });
}

/** What is lost without each rule, per set: in F1 (of 100), and in complete issues left alone. */
function ablate(): void {
  const given = Object.entries(files).map(([name, file]) => ({ name, issues: labelled(file) }));
  const all = given.map(({ issues }) => byRules(issues));
  console.log(
    `${''.padEnd(16)}${given.map(({ name }) => `${name}: F1 (alone)`.padStart(20)).join('')}  it finds`,
  );
  for (const { name, says } of rules.slice(0, size(rules.length, 1))) {
    const cells = given.map(({ issues }, index) => {
      const rest = byRules(issues, name);
      const pairs = all[index] ?? [];
      const lost = (quality(pairs).f1 - quality(rest).f1) * 100;
      return `${lost.toFixed(1)} (${attention(pairs).leftAlone - attention(rest).leftAlone})`.padStart(20);
    });
    console.log(`${name.padEnd(16)}${cells.join('')}  ${says}`);
  }
}

function speed(): Figure {
  const sentence = 'When I click "Save" with an empty name, it fails with `TypeError: x`. It should say so. ';
  const start = performance.now();
  analyzeIssues([{ number: 1, title: 'Save fails', body: sentence.repeat(size(12_000, 12)) }]);
  const figure = { what: 'a body of 1 MB', value: performance.now() - start, unit: 'ms', atMost: 1000 };
  console.log(`\n${table({ rules: [figure] })}`);
  return figure;
}
