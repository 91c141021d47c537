import { counted } from '../../schema/counted.ts';
import { visible } from '../../schema/visible.ts';
import type { Plan } from '../grammar/plan.ts';
import { type Audit, rules } from './audit-plan.ts';
import type { Issue } from './rule.ts';

/** How the parts of the report are shown; without it they are plain. */
export interface Paint {
  error(text: string): string;
  warning(text: string): string;
  strong(text: string): string;
  faint(text: string): string;
}

const plain: Paint = { error: same, warning: same, strong: same, faint: same };
/** The rest of each kind get one line each. */
const MAX_IN_FULL = 3;
const MAX_LINE_LENGTH = 160;
const MAX_MESSAGE_LENGTH = 2000;

/** The report for people: each issue with its line, and a caret below the place. */
export function auditText(audit: Audit, plan: Plan, locate: (file: string) => string, paint = plain): string {
  const lines = linesOf(plan);
  return [
    ...alike(audit.issues).flatMap((group) =>
      group.length > MAX_IN_FULL
        ? listed(group, locate, paint)
        : group.flatMap((issue) => described(issue, lines(issue.file), locate, paint)),
    ),
    verdict(audit, paint),
  ].join('\n');
}

/** Groups issues with the same fix, in the place of the first. */
function alike(issues: Issue[]): Issue[][] {
  const groups = new Map<string, Issue[]>();
  for (const issue of issues) {
    const key = JSON.stringify([issue.severity, issue.code, issue.suggestion]);
    const group = groups.get(key);
    if (group) group.push(issue);
    else groups.set(key, [issue]);
  }
  return [...groups.values()];
}

function listed(issues: Issue[], locate: (file: string) => string, paint: Paint): string[] {
  const [first] = issues;
  if (!first) return [];
  const { severity, code, suggestion } = first;
  return [
    `${paint[severity](`${severity} ${code}`)}  ${issues.length} times`,
    ...issues.map(({ file, line, column, message }) => {
      const span = inALine(`${locate(file)}:${line}:${column}`);
      return `  ${span}  ${paint.strong(shortened(message))}`;
    }),
    `  ${shortened(suggestion)}`,
    '',
  ];
}

function described(issue: Issue, lines: string[], locate: (file: string) => string, paint: Paint): string[] {
  const { severity, code, message, suggestion, file, line, column } = issue;
  const span = `${locate(file)}:${line}:${column}`;
  return [
    `${paint[severity](`${severity} ${code}`)}  ${inALine(span)}`,
    `  ${paint.strong(shortened(message))}`,
    ...excerpt(lines[line - 1], line, column, paint),
    `  ${shortened(suggestion)}`,
    '',
  ];
}

function excerpt(text: string | undefined, line: number, column: number, paint: Paint): string[] {
  if (text === undefined || text.trim() === '') return [];
  const from = Math.max(0, column - 1 - MAX_LINE_LENGTH / 2);
  const shown = inALine(text.slice(from, from + MAX_LINE_LENGTH));
  const number = String(line);
  const caret = ' '.repeat(columns(inALine(text.slice(from, column - 1))));
  return [
    `  ${paint.faint(`${number} |`)} ${shown}`,
    `  ${paint.faint(`${' '.repeat(number.length)} |`)} ${caret}${paint.strong('^')}`,
  ];
}

/** On one line, with each tab as one blank, so that the caret is in the right column. */
function inALine(text: string): string {
  return visible(text.replace(/[\t\n]/g, ' '));
}

function columns(text: string): number {
  let count = 0;
  for (const character of text)
    count += /[\p{Emoji_Presentation}\u2e80-\ua4cf\uac00-\ud7a3\uff00-\uff60]/u.test(character) ? 2 : 1;
  return count;
}

function shortened(message: string): string {
  const text = inALine(message);
  if (text.length <= MAX_MESSAGE_LENGTH) return text;
  return `${text.slice(0, MAX_MESSAGE_LENGTH / 2)} … ${text.slice(-MAX_MESSAGE_LENGTH / 2)}`;
}

function verdict({ passed, summary }: Audit, paint: Paint): string {
  const { phases, gates, errors, warnings } = summary;
  const found = `${counted(phases, 'phase')}, ${counted(gates, 'gate')}`;
  const problems = `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`;
  return passed ? `Passed: ${found}; ${problems}.` : `${paint.error('Failed')}: ${found}; ${problems}.`;
}

function linesOf({ files }: Plan): (path: string) => string[] {
  const known = new Map<string, string[]>();
  return (path) => {
    const file = files.get(path);
    const lines =
      known.get(path) ?? (file && 'text' in file ? file.text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/) : []);
    known.set(path, lines);
    return lines;
  };
}

function same(text: string): string {
  return text;
}

/** The issues as SARIF 2.1.0; `locate` turns a file into its path in the repository. */
export function sarifLog(issues: readonly Issue[], locate: (file: string) => string, version: string) {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'fermata',
            version,
            rules: rules.map(({ code, severity, summary }) => ({
              id: code,
              shortDescription: { text: summary },
              defaultConfiguration: { level: severity },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: issues.map((issue) => result(issue, locate)),
      },
    ],
  };
}

function result(
  { severity, code, message, suggestion, file, line, column }: Issue,
  locate: (file: string) => string,
) {
  return {
    ruleId: code,
    ruleIndex: rules.findIndex((rule) => rule.code === code),
    level: severity,
    message: { text: `${message} ${suggestion}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uri(locate(file)) },
          region: { startLine: line, startColumn: column },
        },
      },
    ],
  };
}

function uri(path: string): string {
  return path.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
}

/** Annotations that GitHub Actions shows next to the lines; `locate` turns a file into its path in the repository. */
export function githubAnnotations(issues: readonly Issue[], locate: (file: string) => string): string {
  return issues
    .map(({ severity, code, message, suggestion, file, line, column }) => {
      const properties = { file: locate(file), line: String(line), col: String(column), title: code };
      const list = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`);
      return `::${severity} ${list.join(',')}::${data(`${message}\n${suggestion}`)}`;
    })
    .join('\n');
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
