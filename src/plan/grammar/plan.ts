import type { Status } from './status.ts';

/**
 * A file of a plan: its text, or why it cannot be read. Paths are relative to the plan's folder, with forward
 * slashes.
 */
export type PlanFile = TextFile | UnreadableFile;

export interface TextFile {
  path: string;
  text: string;
}

export interface UnreadableFile {
  path: string;
  /** `outside`: it is reached through a link out of the plan's folder. */
  fault: 'outside' | 'unreadable';
  /** What is wrong with it, to complete a sentence that begins with its name. */
  message: string;
}

/** A position in a file: line and column from 1, columns in UTF-16 units. */
export interface TextSpan {
  line: number;
  column: number;
  /** How much of the line it covers. */
  length: number;
}

export interface Plan {
  title: string;
  /** The path of the master file. */
  master: string;
  metadata: Metadata;
  /** Where the master file lists the plan's issues, if it does. */
  issuesSpan: TextSpan | undefined;
  phases: Phase[];
  /** Criteria of the whole plan, which any phase may cover. */
  criteria: Criterion[];
  /** What could not be read or understood. Nothing is dropped without an entry here. */
  problems: Problem[];
  files: ReadonlyMap<string, PlanFile>;
}

export interface Metadata {
  githubIssues: number[];
  githubRepo: string | null;
  created: string | null;
  jiraIssues: string[];
}

export interface Phase {
  id: string;
  /** The phase file's own title, else the one in the master's table. */
  title: string;
  /** The phase's file; as written if it leads out of the folder. */
  path: string;
  status: Status;
  /** The numbers of the issues that it covers, from its file or its row. */
  issues: number[];
  row: PhaseRow;
  /** The content of its file; undefined if it cannot be read. */
  file: PhaseFile | undefined;
  dependsOn: Dependency[];
  /** Its front matter as a person approved it, if its file differs by now. */
  front?: Record<string, unknown>;
}

/** A row of the master's table. */
export interface PhaseRow {
  id: string;
  title: string;
  path: string;
  /** The link leads out of the plan's folder. */
  outside: boolean;
  focus: string;
  risk: string;
  status: WrittenStatus | undefined;
  /** Where a status belongs, if there is such a column. */
  statusSpan: TextSpan | undefined;
  /** Cells of other columns; those beyond the last heading have no name. */
  extra: { name: string | null; text: string }[];
  raw: string;
  span: TextSpan;
  linkSpan: TextSpan;
}

/** A status as somebody wrote it. */
export interface WrittenStatus {
  status: Status;
  /** Whether the word is a valid status; otherwise the status is `pending`. */
  known: boolean;
  word: string;
  span: TextSpan;
}

export interface PhaseFile {
  path: string;
  /** The id in its title; the one in the master's table takes precedence. */
  id: string | null;
  title: string | null;
  /** Where its title is, or would be. */
  span: TextSpan;
  status: WrittenStatus | undefined;
  /** As written, before they are resolved. */
  dependencies: WrittenDependency[];
  gates: Gate[];
  tasks: Task[];
  process: ProcessStep[];
  notes: { input: NotesPath | null; output: NotesPath | null };
  agents: AgentMention[];
  criteria: Criterion[];
  /** The numbers of the issues that it names as covered. */
  issues: number[];
  /** The headings of the sections that were found. */
  sections: Partial<Record<SectionKind, TextSpan>>;
}

export type SectionKind =
  | 'phases'
  | 'process'
  | 'gates'
  | 'tasks'
  | 'dependencies'
  | 'criteria'
  | 'agents'
  | 'notes';

export interface WrittenDependency {
  id: string | null;
  /** The file that a link points to. */
  path: string | null;
  text: string;
  /** It must be a phase; otherwise it may be something else, such as a server. */
  sure: boolean;
  span: TextSpan;
}

export interface Dependency {
  /** The id of the phase; null if no phase matches. */
  id: string | null;
  /** Whether the plan has this phase. */
  known: boolean;
  text: string;
  span: TextSpan;
}

/** A gate command, which proves that the phase is done. */
export interface Gate {
  name: string;
  /** Null if only the expected result is written down. */
  command: string | null;
  covers: string[];
  line: number;
  span: TextSpan;
}

export interface Task {
  id?: string;
  text: string;
  done: boolean;
  covers: string[];
  line: number;
  span: TextSpan;
}

export interface ProcessStep {
  kind: 'read_notes' | 'implementation' | 'validation' | 'write_notes' | 'other';
  text: string;
  done: boolean;
  line: number;
}

export interface NotesPath {
  path: string;
  span: TextSpan;
}

export interface AgentMention {
  name: string;
  required: boolean;
  span: TextSpan;
}

export interface Criterion {
  /** Only if the author gave one. */
  id: string | null;
  text: string;
  line: number;
  span: TextSpan;
}

export interface Problem {
  code: ProblemCode;
  message: string;
  suggestion: string;
  file: string;
  span: TextSpan;
  /** The probable id of an unreadable row. */
  rowId?: string;
}

export type ProblemCode =
  | 'MASTER_NOT_FOUND'
  | 'MASTER_PARSE_ERROR'
  | 'UNREADABLE_ROW'
  | 'UNREADABLE_METADATA'
  | 'UNKNOWN_STATUS'
  | 'STATUS_DISAGREES'
  | 'PHASE_NOT_FOUND'
  | 'PHASE_PARSE_ERROR'
  | 'PATH_OUTSIDE_PLAN'
  | 'MISSING_DEPENDENCY';

/** How many tasks of a phase's file are done; in a completed phase all of them, ticked or not. */
export function taskCounts({ file, status }: Pick<Phase, 'file' | 'status'>): {
  done: number;
  total: number;
} {
  const tasks = file?.tasks ?? [];
  const done = status === 'completed' ? tasks : tasks.filter((task) => task.done);
  return { done: done.length, total: tasks.length };
}

/** The issues that a plan covers: those that one of its phases names. */
export function namedIssues({ phases }: Pick<Plan, 'phases'>): Set<number> {
  return new Set(phases.flatMap(({ issues }) => issues));
}
