export { findObject } from './agents/find-json.ts';
export { extractOpenQuestions, type OpenQuestions } from './agents/open-questions.ts';
export { AgentStream, type AgentStreamOptions } from './agents/stream/agent-stream.ts';
export type * from './agents/stream/events.ts';
export { type Inspection, inspectRun } from './agents/stream/inspect-run.ts';
export { type AgentOutput, readAgentStream } from './agents/stream/read-agent-stream.ts';
export type { RunView, StreamEnd } from './agents/stream/view.ts';
export { openIndexFile } from './knowledge/index-file.ts';
export { type Search, type SearchOptions, searchDocuments } from './knowledge/search-documents.ts';
export type { Hit } from './knowledge/search-index.ts';
export type { Documents } from './knowledge/update-index.ts';
export type { Embedder } from './knowledge/vectors.ts';
export { parseHilConfig, presetOf } from './ledger/autonomy.ts';
export { decisionsMarkdown } from './ledger/decision-log.ts';
export {
  type AcpElicitation,
  type AcpStyle,
  fromAcpElicitation,
  toAcpElicitation,
} from './ledger/forms/acp-elicitation.ts';
export {
  type AskUserQuestionAnswers,
  type AskUserQuestionInput,
  fromAskUserQuestion,
  fromAskUserQuestionAnswers,
  toAskUserQuestion,
  toUpdatedInput,
} from './ledger/forms/ask-user-question.ts';
export {
  type AnsweredForm,
  type ElicitationResult,
  fromElicitationResult,
  toElicitationResult,
} from './ledger/forms/elicitation-result.ts';
export type { ElicitationForm } from './ledger/forms/elicitation-writer.ts';
export { fromMcpElicitation, toMcpElicitation } from './ledger/forms/mcp-elicitation.ts';
export { handOver } from './ledger/hand-over.ts';
export { type Ledger, openLedger } from './ledger/ledger.ts';
export type { ListQuery } from './ledger/list-notifications.ts';
export type { Created, NotificationService } from './ledger/notification-service.ts';
export { type Dropped, normalizeQuestions } from './ledger/questions.ts';
export type { Settled } from './ledger/settle.ts';
export type { TaskService } from './ledger/task-service.ts';
export { type Audit, auditPlan } from './planning/audit/audit-plan.ts';
export type { Issue as AuditIssue } from './planning/audit/issue.ts';
export type { Surroundings } from './planning/audit/surroundings.ts';
export { type BlockProblem, type FileBlock, readFileBlocks } from './planning/file-blocks.ts';
export {
  type Analysis,
  type AnalysisOptions,
  analyzeIssues,
  type Gap,
  type IssueReport,
} from './planning/gaps/analyze.ts';
export type { Evidence, EvidenceKind } from './planning/gaps/evidence.ts';
export type { Assumption, PlannedQuestion } from './planning/gaps/plan-questions.ts';
export type { IssueInput } from './planning/issues/issue.ts';
export { parsePlan } from './planning/plan/parse-plan.ts';
export type { Phase, Plan, PlanFile } from './planning/plan/plan.ts';
export { planJson } from './planning/plan/plan-json.ts';
export { printPlan } from './planning/plan/print-plan.ts';
export { setStatus } from './planning/plan/set-status.ts';
export type { Origin, Protocol, ProtocolInput, ProtocolOutput, Step } from './protocols/protocol.ts';
export { resolveProtocol } from './protocols/resolve-protocol.ts';
export * from './schema/actor.ts';
export * from './schema/approach.ts';
export * from './schema/autonomy.ts';
export * from './schema/autonomy-words.ts';
export * from './schema/coder-result.ts';
export * from './schema/config.ts';
export * from './schema/credential.ts';
export * from './schema/decision.ts';
export * from './schema/error.ts';
export * from './schema/error-body.ts';
export * from './schema/event.ts';
export * from './schema/gate.ts';
export { jsonSchemas } from './schema/json-schemas.ts';
export * from './schema/notification.ts';
export * from './schema/phase-record.ts';
export * from './schema/plan-view.ts';
export * from './schema/project.ts';
export * from './schema/qa.ts';
export * from './schema/question.ts';
export * from './schema/run.ts';
export * from './schema/task.ts';
export * from './schema/worktree.ts';
