/** The library. Each name is here for a purpose (docs/library.md); the schemas are in `fermata-cli/schema`. */

export type { DriverDefinition, Launch, Reading, Told } from './agents/defined/define-driver.ts';
export { defineDriver } from './agents/defined/define-driver.ts';
export type {
  AgentDriver,
  AgentEvent,
  AgentRun,
  AgentSetup,
  Ask,
  EndReason,
  PermissionAsk,
  Remark,
  RunEnd,
  Usage,
} from './agents/driver.ts';
export { extractOpenQuestions, type OpenQuestions } from './agents/questions/open-questions.ts';
export type { AgentStreamOptions } from './agents/stream/agent-stream.ts';
export { type AgentOutput, readAgentStream } from './agents/stream/agent-stream.ts';
export type { RunView } from './agents/stream/view.ts';
export { type Hub, type HubOptions, startHub } from './hub/hub.ts';
export { type Analysis, type AnalysisOptions, analyzeIssues } from './issues/gaps/analyze.ts';
export type { IssueInput } from './issues/issue.ts';
export { type Ledger, openLedger } from './ledger/ledger.ts';
export { type Audit, auditPlan } from './plan/audit/audit-plan.ts';
export type { Issue as AuditIssue, Surroundings } from './plan/audit/rule.ts';
export { printPlan, setStatus } from './plan/grammar/edit-plan.ts';
export { parsePlan } from './plan/grammar/parse-plan.ts';
export type { Phase, Plan, PlanFile } from './plan/grammar/plan.ts';
export type { Protocol } from './protocols/protocol.ts';
export { resolveProtocol } from './protocols/resolve-protocol.ts';
export type { Actor, By } from './schema/actor.ts';
export type { Decision } from './schema/decision.ts';
export { type ErrorCode, FermataError } from './schema/error.ts';
export type { Event, EventType } from './schema/event.ts';
export type { Notification, Response } from './schema/notification.ts';
export type { Project } from './schema/project.ts';
export type { Question } from './schema/question.ts';
export type { Run } from './schema/run.ts';
export type { Task } from './schema/task.ts';
export { type AgentTask, runAgent } from './work/agent/run-agent.ts';
export { type Asker, type Concern, type Context, type ContextOptions, openContext } from './work/context.ts';
export { type Converted, type ConvertOptions, convert, type Source } from './work/kinds/convert.ts';
export { type Drafted, type DraftOptions, draft } from './work/kinds/draft/draft.ts';
export { type BeginRunOptions as RunPlanOptions, runPlan } from './work/kinds/phase/run-plan.ts';
export type { RunReport } from './work/kinds/phase/run-report.ts';
export {
  type PlanFromIssuesOptions,
  type PlannedIssues,
  planFromIssues,
} from './work/kinds/plan-from-issues/plan-from-issues.ts';
export { type ReviewOptions, review } from './work/kinds/review.ts';
export type { Report } from './work/report.ts';
export type { TrustOptions } from './work/trust/require-trust.ts';
