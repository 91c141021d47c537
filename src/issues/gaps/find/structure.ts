import type { Evidence, EvidenceKind } from '../gap.ts';
import { type ReadText, writtenPieces } from '../issue-text.ts';
import { allWords, contentAmount, countAnchors } from '../text/content.ts';
import type { FenceKind, Piece } from '../text/parts.ts';
import { topicOf } from '../words/headings.ts';
import { type Beyond, isVague } from './vagueness.ts';

/** "Less technical debt" is not a criterion; a longer entry says something even with such words in it. */
const SHORT = 4;

/** Headings, lists, boxes, tables and blocks of code. */
export function findStructure(text: ReadText, beyond: Beyond): Evidence[] {
  const pieces = writtenPieces(text).filter(
    (piece) => contentAmount(piece.text) > SHORT || !isVague(piece.text),
  );
  return [
    ...checklist(text, pieces),
    ...sections(text, pieces, beyond),
    ...lists(text, pieces),
    ...fences(text),
  ];
}

function checklist(text: ReadText, pieces: Piece[]): Evidence[] {
  const boxes = pieces.filter(
    (piece) =>
      piece.box && piece.topic !== 'environment' && contentAmount(piece.text) + countAnchors(piece.text) >= 2,
  );
  const [first] = boxes;
  if (!first) return [];
  return [text.evidence('checklist', first.at, first.text.length, boxes.length >= 2 ? 1 : 0.7)];
}

const sectionKinds = {
  criteria: 'criteria',
  expected: 'expected',
  actual: 'actual',
  reproduction: 'reproduction',
  validation: 'test_plan',
  solution: 'proposal',
  logs: 'error',
} as const;

/** Sections in which a word or two ("backend", "UI") do not say what has to be true. */
const promises = new Set<string>(['criteria', 'proposal', 'test_plan']);

/** Sections in which one word is enough: "Expected: 10.00" is a complete answer. */
const results = new Set<string>(['expected', 'actual']);

/** A section counts by its content: three words say something, a dozen say what is meant. */
function sections(text: ReadText, pieces: Piece[], beyond: Beyond): Evidence[] {
  return Object.entries(sectionKinds).flatMap(([topic, kind]) => {
    const own = pieces.filter((piece) => piece.topic === topic);
    const said = own.reduce((sum, piece) => sum + allWords(piece.text), 0);
    const told = own.reduce((sum, piece) => sum + contentAmount(piece.text) + countAnchors(piece.text), 0);
    const [first] = own;
    if (!first || said < (results.has(kind) ? 1 : 2) || told < (promises.has(kind) ? 3 : 0)) return [];
    if (kind === 'proposal' && said < 7 && own.every((piece) => beyond(piece.text) === 0)) return [];
    return [
      text.evidence(
        kind,
        first.at,
        first.text.length,
        Math.min(1, Math.round((0.5 + said / 20) * 100) / 100),
      ),
    ];
  });
}

/** Entries of a plain list that each say something, and rows of a table. */
function lists(text: ReadText, pieces: Piece[]): Evidence[] {
  const found: Evidence[] = [];
  const plain = pieces.filter(
    (piece) =>
      piece.kind === 'item' && !piece.box && !quiet.has(piece.topic ?? '') && allWords(piece.text) >= 2,
  );
  const isStep = ({ ordered, topic }: Piece) => ordered || topic === 'reproduction';
  const steps = plain.filter(isStep);
  const entries = plain.filter((piece) => !isStep(piece) && contentAmount(piece.text) >= 2);
  if (steps[0] && steps.length >= 2) found.push(text.evidence('steps', steps[0].at, steps[0].text.length, 1));
  if (entries[0] && entries.length >= 2)
    found.push(text.evidence('list', entries[0].at, entries[0].text.length, entries.length >= 3 ? 1 : 0.7));
  const rows = pieces.filter(
    (piece) =>
      piece.kind === 'row' &&
      !quiet.has(piece.topic ?? '') &&
      isTelling(piece.text.split('\t').filter((cell) => cell.trim() !== '')),
  );
  if (rows[0] && rows.length >= 3) found.push(text.evidence('table', rows[0].at, rows[0].text.length, 1));
  return found;
}

/** Whether a row has at least two cells and does not just name a version or a system. */
function isTelling(cells: string[]): boolean {
  return cells.length >= 2 && topicOf(cells[0] ?? '') !== 'environment';
}

/** Lists in these sections are not requirements: systems, versions, links. */
const quiet = new Set(['environment', 'extra', 'alternatives', 'dependencies', 'logs', 'questions']);

function fences(text: ReadText): Evidence[] {
  return text.document.fences.flatMap((fence) => {
    const meaning = meanings[fence.kind];
    if (!meaning) return [];
    const weight = fence.topic === 'environment' ? 0.2 : 1;
    const at = text.document.text.indexOf(fence.text, fence.at);
    return [text.evidence(meaning, at, fence.text.length, weight)];
  });
}

const meanings: Record<FenceKind, EvidenceKind | undefined> = {
  stack_trace: 'stack_trace',
  error_output: 'error',
  scenario: 'scenario',
  diff: 'diff',
  code: 'code',
  prose: undefined,
  empty: undefined,
};
