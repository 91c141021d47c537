import { isTechnology } from '../../../issues/gaps/technology.ts';
import type { Issue } from '../../audit/rule.ts';
import { commands, technologies } from './technologies.ts';
import {
  type Fact,
  type FactKind,
  type FactRule,
  numberOf,
  planText,
  quantitiesIn,
  type SourceLine,
  sourceLines,
  stems,
  wordFor,
} from './texts.ts';

/** A fact of the source that the plan does not have. */
export interface Lost extends Fact {
  kind: FactKind;
}

/** The limit for each kind: a source with more facts is not a plan, and each fact is searched for in the whole plan. */
const MAX = 1000;

/** What a source says and the plan made from it does not, each once, in source order. */
export function findLost(source: string, plan: string): Lost[] {
  const lines = sourceLines(source);
  const there = planText(plan);
  const lost = rules.flatMap(({ kind, find, isKept }) => {
    const seen = new Map<string, Lost>();
    for (const { text, line } of find(lines)) {
      if (seen.size === MAX) break;
      const key = text.toLowerCase();
      if (!seen.has(key)) seen.set(key, { kind, text, line });
    }
    return [...seen.values()].filter(({ text }) => !isKept(text, there));
  });
  return lost.sort((a, b) => a.line - b.line);
}

const called: Record<FactKind, string> = {
  agent: 'the agent',
  technology: 'the technology',
  command: 'the command',
  risk: 'the risk',
  number: 'the number',
  path: 'the path',
};

/** As an issue for the next attempt. */
export function lostIssue({ kind, text, line }: Lost, source: string): Issue {
  return {
    severity: 'error',
    code: `LOST_${kind.toUpperCase()}`,
    message: `Missing from the plan: ${called[kind]} "${text}" from the source.`,
    file: source,
    line,
    column: 1,
    suggestion: 'Add it to the plan where it belongs.',
  };
}

const patterns = [
  /\bAGENT:\s*([\w-]+)/g,
  /`([\w-]+)`\s+(?:sub-?)?agents?\b/gi,
  /\b(?:sub-?)?agents?:?\s+`([\w-]+)`/gi,
  /@(?:agent-)([\w-]+)/gi,
  // Without quotes, accepts only names that sound like a job, such as "-reviewer" or "-architect".
  /\b([a-z]+(?:-[a-z]+)*-(?:[a-z]+(?:er|or|ist|ert|ect)|agent|bot))\s+(?:sub-?)?agents?\b/gi,
];

/** Agents that the source assigns work to. */
const agents: FactRule = {
  kind: 'agent',
  *find(lines) {
    for (const { text, line } of lines)
      for (const pattern of patterns)
        for (const [, name = ''] of text.matchAll(pattern)) yield { text: name, line };
  },
  isKept: (name, plan) => plan.words.has(name.toLowerCase()) || plan.text.includes(name.toLowerCase()),
};

/** A line of the plan with this share of a risk's words is the same risk in other words. */
const ENOUGH = 0.5;

/** The risks in the source: items and rows under a heading about risks, or a line that begins with the word. */
const risks: FactRule = {
  kind: 'risk',
  *find(lines) {
    for (const [index, line] of lines.entries()) {
      const text = riskOf(line, lines[index + 1]);
      if (text && stems(text).length >= 2) yield { text: text.trim().slice(0, 200), line: line.line };
    }
  },
  isKept(text, { linesOf }) {
    const wanted = [...new Set(stems(text))];
    const counts = new Map<number, number>();
    for (const stem of wanted)
      for (const line of linesOf.get(stem) ?? []) counts.set(line, (counts.get(line) ?? 0) + 1);
    return Math.max(0, ...counts.values()) >= wanted.length * ENOUGH;
  },
};

function riskOf({ text, kind, headings }: SourceLine, next: SourceLine | undefined): string | undefined {
  if (kind !== 'prose') return undefined;
  const named = /^\W*risks?\W*(?<=[:–—-]\W*)(?!\W)(.+)$/i.exec(text)?.[1];
  if (named) return named;
  if (!headings.some((heading) => /\brisks?\b/i.test(heading))) return undefined;
  const row = /^\s*\|(.+)\|\s*$/.exec(text)?.[1];
  if (row === undefined) return /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s+)?(.+)$/i.exec(text)?.[1];
  const isFrame = /^[\s|:-]+$/.test(row) || /^\s*\|[\s|:-]+\|\s*$/.test(next?.text ?? '');
  return isFrame ? undefined : (row.split('|').find((cell) => stems(cell).length >= 2) ?? '');
}

const unit =
  /^\s?(?:%|percent|ms|µs|s|secs?|seconds?|min|mins|minutes?|h|hours?|days?|weeks?|months?|years?|[kmgt]i?b|bytes?|px|rps|qps|req\/s|times|retries|attempts|tries|users?|requests?|rows?|items?|records?|connections?|characters?|chars?|tokens?)(?![\p{L}\p{N}])/iu;
const bound =
  /(?:[<>≤≥=~]|\b(?:port|limit(?:ed)?(?: (?:of|to|is))?|max(?:imum)?(?: of)?|min(?:imum)?(?: of)?|at (?:least|most)|(?:more|less|fewer|higher|lower) than|under|over|above|below|within|up to|every|exactly|timeout(?: of| is)?|threshold(?: of| is)?))[:\s]*[$€£]?$/i;
/** Numbers that only count or name something: steps, versions, dates, issues, criteria. */
const names =
  /\b(?:phase|step|task|stage|part|section|chapter|week|day|sprint|milestone|version|v|q|figure|table|appendix|issue|pr|option|level|item|node|python|java|php|ruby|es|http|utf|sha|ipv|oauth|h|rfc)[\s#.-]*$/i;
/** Quantities: limits, sizes, times, counts. */
const numbers: FactRule = {
  kind: 'number',
  *find(lines) {
    for (const line of lines) if (line.kind === 'prose') yield* numbersIn(line);
  },
  isKept(text, { numbers: there, words, quantities }) {
    const value = numberOf(/\d[\d,_]*(?:\.\d+)?(?:[kKM]\b)?/.exec(text)?.[0] ?? '');
    const word = wordFor(value);
    if (there.has(value) || (word !== undefined && words.has(word))) return true;
    return quantitiesIn(text).some((quantity) => quantities.has(quantity));
  },
};

function* numbersIn({ text: raw, line }: SourceLine): Generator<Fact> {
  const text = raw
    .replace(/`[^`]*`/g, (code) => ' '.repeat(code.length))
    .replace(/^\s*(?:[-*+]\s+)?(?:\[[ x]\]\s+)?\**\d+(?:\.\d+)*[.):]?\**(?=\s)/i, (all) =>
      ' '.repeat(all.length),
    );
  for (const match of text.matchAll(/(?<![\p{L}\p{N}_.#/:-])[$€£]?\d[\d,_]*(?:\.\d+)?(?:[kKM]\b)?/gu)) {
    const digits = match[0].replace(/[,_]+$/, '').replace(/^[$€£]/, '');
    const before = text.slice(0, match.index);
    const after = text.slice(match.index + match[0].replace(/[,_]+$/, '').length);
    if (/^[\p{L}_]*[.\-/:]\d|^[\p{L}_]+\d|^\s?(?:st|nd|rd|th)\b/u.test(after) || names.test(before)) continue;
    const value = numberOf(digits);
    const said = unit.exec(after)?.[0] ?? '';
    const isYear = value >= 1990 && value < 2100 && said === '';
    if (isYear || (said === '' && !bound.test(before) && !/^[$€£]/.test(match[0]) && value < 10)) continue;
    yield { text: `${match[0].replace(/[,_]+$/, '')}${said}`, line };
  }
}

const endings =
  /\.(?:[cm]?[jt]sx?|py|pyi|rs|go|rb|java|kts?|cs|cpp|cc|c|h|hpp|swift|php|sql|jsonc?|ya?ml|toml|ini|cfg|conf|env|md|mdx|html?|s?css|vue|svelte|sh|ps1|tf|proto|graphql|xml|gradle|lock|csv|txt|ipynb|dockerfile|ex|exs|erl|scala|dart|lua)$/i;
/** Files of plans themselves, because the new plan has its own. */
const ofPlans = /(?:^|\/)(?:MASTER_?PLAN|PLAN|phase[-_]?[\d.]+\w*|NOTES?_[\w-]+)(?:[-_.]\w+)*\.md$|^notes\//i;

/** Files and folders that the source names. */
const paths: FactRule = {
  kind: 'path',
  *find(lines) {
    for (const line of lines) if (line.kind !== 'fence') yield* pathsIn(line);
  },
  isKept(text, plan) {
    const path = text.toLowerCase().replace(/^\.\//, '').replace(/\/$/, '');
    return plan.text.includes(path) || plan.text.includes(lastParts(path));
  },
};

function* pathsIn({ text, line }: SourceLine): Generator<Fact> {
  for (const match of text.matchAll(/[\w@.~*+/[\]-]+/g)) {
    const path = match[0].replace(/^[[\]*]+|[.*[\]+-]+$/g, '');
    const before = text.slice(0, match.index);
    const quoted = (before.match(/`/g)?.length ?? 0) % 2 === 1;
    if (isPath(path, quoted) && !ofPlans.test(path)) yield { text: path, line };
  }
}

function isPath(path: string, quoted: boolean): boolean {
  if (path.length > 300 || !/[a-z]/i.test(path) || path.includes('//')) return false;
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  if (endings.test(name)) return parts.length > 1 || !isProduct(name);
  if (parts.length === 1) return false;
  // Without an extension it could be `and/or` as well as a folder.
  return /^(?:\.{1,2}|~)?\/./.test(path) || (quoted && name === '');
}

/** `Node.js` and `Next.js` are not files. */
const isProduct = (name: string) => /^[A-Z]\w*\.js$/.test(name) || isTechnology(name.replace(/\.js$/i, ''));

const lastParts = (path: string) => path.split('/').slice(-2).join('/');

const rules: readonly FactRule[] = [agents, technologies, commands, risks, numbers, paths];
