import { posix } from 'node:path';
import { isIssuesField, issueNumbers } from './fields.ts';
import { type Master, parseMaster, planPath } from './master.ts';
import { parsePhase } from './phase.ts';
import { idKey } from './phase-id.ts';
import type {
  Dependency,
  Phase,
  PhaseFile,
  PhaseRow,
  Plan,
  PlanFile,
  Problem,
  TextFile,
  WrittenDependency,
  WrittenStatus,
} from './plan.ts';
import { closestStatus, type Status, statuses, statusLabels } from './status.ts';

export const MASTER = 'MASTER_PLAN.md';

/**
 * Reads a plan from the texts of its files. A file that the master links to and that is not included counts as missing.
 *
 * @example parsePlan([{ path: 'MASTER_PLAN.md', text }, { path: 'phase-1.md', text: '# Phase 1: …' }]).phases
 */
export function parsePlan(files: readonly PlanFile[], master = MASTER): Plan {
  const found = findMaster(files, master);
  if ('code' in found) return unreadablePlan(files, found);
  return assemblePlan(parseMaster(found), files);
}

/** Reads the phase files that a master links to, and resolves dependencies. */
export function assemblePlan(master: Master, files: readonly PlanFile[]): Plan {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const problems: Problem[] = [...master.problems];
  const read = new Map<string, PhaseFile>();
  const phases = master.rows.map((row): Phase => {
    const found = readPhaseFile(row, byPath, read, master.path);
    const file = 'code' in found ? undefined : found;
    if ('code' in found) problems.push(found);
    problems.push(...statusProblems(row, file, master.path));
    const status = statusOf(row.status, file?.status);
    const issues = issuesOf(row, file);
    const title = file?.title ?? row.title;
    return { id: row.id, title, path: row.path, status, issues, row, file, dependsOn: [] };
  });
  problems.push(...resolveDependencies(phases, master));
  const { path, title, metadata, issuesSpan, criteria } = master;
  return { title, master: path, metadata, issuesSpan, phases, criteria, problems, files: byPath };
}

/** From its file, and the column `Issues` of the master's table. */
function issuesOf({ extra }: PhaseRow, file: PhaseFile | undefined): number[] {
  const cells = extra.filter(({ name }) => name !== null && isIssuesField(name));
  return [...new Set([...(file?.issues ?? []), ...cells.flatMap(({ text }) => issueNumbers(text))])];
}

/** If master and phase file disagree, the one that is not `pending` wins, because everything starts as pending. */
function statusOf(row: WrittenStatus | undefined, file: WrittenStatus | undefined): Status {
  if (!row || !file) return (row ?? file)?.status ?? 'pending';
  return file.status === 'pending' ? row.status : file.status;
}

function findMaster(files: readonly PlanFile[], name: string): TextFile | Problem {
  const found = files.filter(({ path }) => path.toLowerCase() === name.toLowerCase());
  const [file] = found;
  const span = { line: 1, column: 1, length: 1 };
  if (!file) {
    const suggestion = `Create ${name} with a table of phases, or pass the folder of a plan.`;
    return { code: 'MASTER_NOT_FOUND', message: `${name} not found.`, suggestion, file: name, span };
  }
  const broken = (message: string, suggestion: string): Problem => ({
    code: 'MASTER_PARSE_ERROR',
    message,
    suggestion,
    file: file.path,
    span,
  });
  if (found.length > 1) {
    const names = found.map(({ path }) => path).join(' and ');
    return broken(`There are ${found.length} master files: ${names}.`, 'Keep one of them.');
  }
  if ('text' in file) return file;
  return broken(`${file.path} ${file.message}.`, 'The master file must be Markdown in UTF-8.');
}

function unreadablePlan(files: readonly PlanFile[], problem: Problem): Plan {
  return {
    title: '',
    master: problem.file,
    metadata: { githubIssues: [], githubRepo: null, created: null, jiraIssues: [] },
    issuesSpan: undefined,
    phases: [],
    criteria: [],
    problems: [problem],
    files: new Map(files.map((file) => [file.path, file])),
  };
}

/** Words that are not a status, and a phase with different statuses in its two places. */
function statusProblems(row: PhaseRow, file: PhaseFile | undefined, master: string): Problem[] {
  return [
    ...unknownStatus(row.status, master),
    ...(file ? [...unknownStatus(file.status, file.path), ...disagreement(row, file)] : []),
  ];
}

function unknownStatus(written: WrittenStatus | undefined, file: string): Problem[] {
  if (!written || written.known) return [];
  const meant = closestStatus(written.word);
  return [
    {
      code: 'UNKNOWN_STATUS',
      message: `"${written.word.slice(0, 50)}" is not a valid status; using Pending.`,
      suggestion: meant
        ? `Write ${statusLabels[meant]}.`
        : `Use one of: ${statuses.map((status) => statusLabels[status]).join(', ')}.`,
      file,
      span: written.span,
    },
  ];
}

function disagreement(row: PhaseRow, file: PhaseFile): Problem[] {
  if (!row.status || !file.status || row.status.status === file.status.status) return [];
  return [
    {
      code: 'STATUS_DISAGREES',
      message: `Phase ${row.id} is "${file.status.word}" here, but "${row.status.word}" in the table of phases.`,
      suggestion: 'Write the same status in both places.',
      file: file.path,
      span: file.status.span,
    },
  ];
}

/** The content of a row's file, or why it cannot be read. A file of several rows is read once. */
function readPhaseFile(
  row: PhaseRow,
  files: ReadonlyMap<string, PlanFile>,
  read: Map<string, PhaseFile>,
  master: string,
): PhaseFile | Problem {
  const { id, path, linkSpan } = row;
  const file = files.get(path);
  if (row.outside || (file && 'fault' in file && file.fault === 'outside')) {
    return {
      code: 'PATH_OUTSIDE_PLAN',
      message: `Phase ${id} is linked to ${path}, which is outside the plan's folder.`,
      suggestion: "Move the phase's file into the plan's folder and link to it with a relative path.",
      file: master,
      span: linkSpan,
    };
  }
  if (!file) {
    return {
      code: 'PHASE_NOT_FOUND',
      message: `The file of phase ${id} is missing: ${path}.`,
      suggestion: `Create ${path}, or correct the link.`,
      file: master,
      span: linkSpan,
    };
  }
  if ('fault' in file) {
    return {
      code: 'PHASE_PARSE_ERROR',
      message: `Cannot read the file of phase ${id}: ${path} ${file.message}.`,
      suggestion: 'A phase file must be Markdown in UTF-8.',
      file: path,
      span: { line: 1, column: 1, length: 1 },
    };
  }
  const phase = read.get(path) ?? parsePhase(file);
  read.set(path, phase);
  return phase;
}

/** Resolves dependencies: by id, by the file that a link points to, or by title. */
function resolveDependencies(phases: Phase[], master: Master): Problem[] {
  const find = finder(phases);
  // An unreadable row is already an error.
  const unreadable = new Set(master.problems.flatMap(({ rowId }) => rowId ?? []));
  const problems: Problem[] = [];
  for (const phase of phases) {
    if (!phase.file) continue;
    const folder = posix.dirname(phase.file.path);
    const seen = new Set<string>();
    for (const written of phase.file.dependencies) {
      const found = find(written, folder);
      if (!found && !written.sure) continue;
      const { text, span } = written;
      const dependency = { id: found?.id ?? written.id, known: found !== undefined, text, span };
      const key = dependency.id === null ? `?${text}` : idKey(dependency.id);
      if (seen.has(key)) continue;
      seen.add(key);
      phase.dependsOn.push(dependency);
      if (!found && !unreadable.has(key)) problems.push(missing(phase, dependency));
    }
  }
  return problems;
}

function finder(phases: Phase[]) {
  const byId = new Map<string, Phase>();
  const byPath = new Map<string, Phase>();
  const byTitle = new Map<string, Phase>();
  const keepFirst = (map: Map<string, Phase>, key: string, phase: Phase) => {
    if (!map.has(key)) map.set(key, phase);
  };
  for (const phase of phases) {
    keepFirst(byId, idKey(phase.id), phase);
    keepFirst(byPath, phase.path, phase);
    keepFirst(byTitle, phase.title.toLowerCase(), phase);
    keepFirst(byTitle, phase.row.title.toLowerCase(), phase);
  }
  return ({ id, path, text }: WrittenDependency, folder: string): Phase | undefined => {
    if (id !== null) return byId.get(idKey(id));
    const target = path === null ? undefined : planPath(path, folder);
    const linked = target && 'path' in target ? byPath.get(target.path) : undefined;
    return linked ?? byTitle.get(text.toLowerCase());
  };
}

function missing({ id, path }: Phase, dependency: Dependency): Problem {
  const what = dependency.id === null ? `"${dependency.text.slice(0, 100)}"` : `phase ${dependency.id}`;
  return {
    code: 'MISSING_DEPENDENCY',
    message: `Phase ${id} depends on ${what}, which is not in the plan.`,
    suggestion: 'Use a phase id from the table of phases, or write N/A.',
    file: path,
    span: dependency.span,
  };
}
