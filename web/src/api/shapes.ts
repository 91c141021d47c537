// What the hub sends beside the ledger's own shapes. Everything in them may be missing one day: the page shows what is there.

export interface AuditIssue {
  severity: 'error' | 'warning';
  code: string;
  message: string;
  /** Relative to the plan's folder. */
  file: string;
  line: number;
  column: number;
  suggestion: string;
}

export interface PlanPhase {
  id: string;
  title: string;
  path: string;
  status: string;
  depends_on: string[];
  gates: { name: string; command: string | null; line: number }[];
  tasks: { id?: string; text: string; done: boolean; line: number }[];
  criteria: { id?: string; text: string; line: number }[];
}

export interface PlanSummary {
  name: string;
  title?: string;
  phases?: number;
  completed?: number;
}

export interface PlanDocument {
  title: string;
  phases: PlanPhase[];
  audit?: { passed: boolean; issues: AuditIssue[] };
  issues?: AuditIssue[];
  /** The text of each file of the plan, by its path. */
  files?: Record<string, string>;
}

export interface Token {
  id: string;
  name?: string;
  role: string;
  projectId?: string | null;
  createdAt?: string;
  lastUsedAt?: string | null;
}

export interface Identity {
  name: string;
  role: string;
  projectId: string | null;
}
