import { readFileSync } from 'node:fs';
import { parseSync } from 'rolldown/utils';
import { inSql } from './sql.mjs';
import { composites } from './transactions.mjs';

/**
 * A change to the source that a test must notice.
 * @typedef {{ file: string, line: number, kind: string, what: string, edits: { start: number, end: number, text: string }[], covers: string }} Mutant
 */

/** A test that names a requirement must kill each of these. */
export const STRICT = ['transaction', 'compare-and-set', 'unblock'];

/** @returns {Mutant[]} the mutants of one file, from top to bottom */
export function findMutants(file, root) {
  const source = readFileSync(`${root}/${file}`, 'utf8');
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const mutants = [];
  walk(program, [], (node, parents) => {
    const place = { file, source, node, parents };
    for (const { what, kind, edits } of [...ofNode(place), ...inSql(place)]) {
      mutants.push({
        file,
        line: lineOf(source, edits[0].start),
        kind: kindOf(place, kind),
        what,
        edits,
        covers: functionOf(parents),
      });
    }
  });
  for (const { kind, what, at, edits } of composites(file, source)) {
    const parents = pathTo(program, at);
    mutants.push({
      file,
      line: lineOf(source, at),
      kind,
      what,
      edits,
      covers: functionOf(parents),
    });
  }
  return mutants.sort((a, b) => a.edits[0].start - b.edits[0].start);
}

/** The functions of a file, each with the place where its body begins: see coverage.mjs. */
export function findFunctions(file, source) {
  const found = [];
  walk(parseSync(file, source).program, [], (node) => {
    if (node.body?.type === 'BlockStatement' && isFunction(node))
      found.push({ key: String(node.start), at: node.body.start + 1 });
  });
  return found;
}

function ofNode(place) {
  switch (place.node.type) {
    case 'IfStatement':
      return conditions(place);
    case 'ConditionalExpression':
      return [
        replaced(
          'condition',
          `negated: ${short(place, place.node.test)}`,
          place.node.test,
          `!(${text(place, place.node.test)})`,
        ),
      ];
    case 'LogicalExpression':
      return sides(place);
    case 'ExpressionStatement':
      return dropped(place);
    case 'CallExpression':
      return links(place);
    case 'BinaryExpression':
      return comparisons(place);
    case 'Literal':
      return states(place);
    default:
      return [];
  }
}

/** Disables a guard; inverts any other condition. */
function conditions(place) {
  const { test, consequent, alternate } = place.node;
  if (!alternate && leaves(consequent))
    return [replaced('guard', `guard dropped: if (${short(place, test)})`, test, 'false')];
  return [replaced('condition', `negated: if (${short(place, test)})`, test, `!(${text(place, test)})`)];
}

function leaves(statement) {
  if (
    statement.type === 'ThrowStatement' ||
    statement.type === 'ReturnStatement' ||
    statement.type === 'ContinueStatement'
  )
    return true;
  return statement.type === 'BlockStatement' && statement.body.length > 0 && leaves(statement.body.at(-1));
}

function sides(place) {
  const { operator, left, right } = place.node;
  if (operator === '??') return [];
  return [
    replaced(
      'condition',
      `only the left side of ${operator}: ${short(place, left)}`,
      place.node,
      text(place, left),
    ),
    replaced(
      'condition',
      `only the right side of ${operator}: ${short(place, right)}`,
      place.node,
      text(place, right),
    ),
  ];
}

/** Removes a statement that runs only for its side effect. */
function dropped(place) {
  const { expression } = place.node;
  const call = expression.type === 'AwaitExpression' ? expression.argument : expression;
  if (call.type !== 'CallExpression' || isCrashPoint(call)) return [];
  return [replaced('statement', `left out: ${short(place, place.node)}`, place.node, ';')];
}

const isCrashPoint = (call) => call.callee.name === 'crashPoint';

/** Kysely: removes one link of the chain. */
function links(place) {
  const { callee } = place.node;
  const name = callee.type === 'MemberExpression' ? callee.property.name : undefined;
  if (name !== 'where' && name !== 'onConflict') return [];
  const last = place.source.slice(callee.object.end, place.node.end);
  return [
    replaced('where', `left out: ${oneLine(last)}`, { start: callee.object.end, end: place.node.end }, ''),
  ];
}

const opposite = { '>': '>=', '>=': '>', '<': '<=', '<=': '<', '+': '-', '-': '+' };

function comparisons(place) {
  const { left, operator, right } = place.node;
  const other = opposite[operator];
  const isText = [left, right].some(
    (side) => side.type === 'TemplateLiteral' || typeof side.value === 'string',
  );
  if (!other || isText) return [];
  const at = place.source.indexOf(operator, left.end);
  const what = `${oneLine(text(place, place.node))}: ${operator} → ${other}`;
  return [replaced('condition', what, { start: at, end: at + operator.length }, other)];
}

const statuses = [
  'open',
  'blocked',
  'closed',
  'in_progress',
  'answered',
  'skipped',
  'declined',
  'expired',
  'delivered',
  'recorded',
  'execute',
];

/** Replaces the name of a state. Skips types, switch labels and keys. */
function states({ node, parents }) {
  const parent = parents.at(-1);
  if (!statuses.includes(node.value) || /^TS|^SwitchCase$|^Import/.test(parent?.type ?? '')) return [];
  if (parent.type === 'Property' && parent.key === node) return [];
  return [replaced('status', `'${node.value}' → 'mutated'`, node, "'mutated'")];
}

/** What a mutant endangers, judged by its place, or else by what it does. */
function kindOf({ file, parents, node, source }, kind) {
  const path = [...parents, node];
  const label = path.findLast((n) => n.type === 'SwitchCase')?.test?.value;
  const name = nameOf(path.findLast((n) => isNamed(n)));
  if (/group-commit\.ts$/.test(file)) return 'transaction';
  if (/store\/(sqlite|postgres)\.ts$/.test(file) && TRANSACTIONS.includes(name)) return 'transaction';
  if (UNBLOCK.includes(name)) return 'unblock';
  if (/machine\/task\.ts$/.test(file) && UNBLOCK_CASES.includes(label)) return 'unblock';
  if (/releaseTask/.test(source.slice(node.start, node.end)) && node.type !== 'Program') return 'unblock';
  if (COMPARE_AND_SET.includes(name)) return 'compare-and-set';
  if (/update(Notification|Task|Run)\(/.test(source.slice(node.start, node.end)) && kind === 'guard')
    return 'compare-and-set';
  return kind;
}

const TRANSACTIONS = ['beginTransaction', 'exclusive', 'finish', 'alone', 'lockProject'];
const UNBLOCK = ['releaseTask', 'waitingOrOpen', 'countOpenForTask', 'holdTask'];
const UNBLOCK_CASES = ['ask', 'answered', 'expired', 'unblock', 'reopen'];
const COMPARE_AND_SET = [
  'updateNotification',
  'updateTask',
  'updateRun',
  'updateSession',
  'requireFence',
  'requireHolder',
  'isNew',
  'same',
  'sameAnswer',
  'refuseGone',
];

function functionOf(parents) {
  const inside = parents.findLast((node) => isFunction(node) && node.body?.type === 'BlockStatement');
  return inside ? String(inside.start) : 'module';
}

const isFunction = (node) => /Function/.test(node.type) && !/^TS/.test(node.type);
const isNamed = (node) => isFunction(node) && nameOf(node) !== undefined;
const nameOf = (node) => node?.id?.name;

function walk(node, parents, visit) {
  visit(node, parents);
  for (const child of children(node)) walk(child, [...parents, node], visit);
}

function children(node) {
  return Object.entries(node)
    .filter(([key]) => key !== 'parent')
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value) => typeof value?.type === 'string');
}

/** The nodes around a place, outermost first. */
function pathTo(program, at) {
  const path = [program];
  for (;;) {
    const next = children(path.at(-1)).find((node) => node.start <= at && at < node.end);
    if (!next) return path;
    path.push(next);
  }
}

function replaced(kind, what, { start, end }, by) {
  return { kind, what, edits: [{ start, end, text: by }] };
}

const text = ({ source }, node) => source.slice(node.start, node.end);
const short = (place, node) => oneLine(text(place, node));
const lineOf = (source, at) => source.slice(0, at).split('\n').length;

function oneLine(code) {
  const line = code.replace(/\s+/g, ' ').trim();
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
}
