/** Every shape that crosses a boundary, as zod schemas with their types, as JSON Schema, and in the formats of agents. */

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
export {
  type AcpElicitation,
  type AcpStyle,
  fromAcpElicitation,
  fromMcpElicitation,
  toAcpElicitation,
  toMcpElicitation,
} from './ledger/forms/elicitation-writer.ts';
export { asOffered } from './ledger/forms/offered-options.ts';
export { type Dropped, normalizeQuestions } from './ledger/notifications/questions.ts';
export * from './schema/actor.ts';
export * from './schema/approach.ts';
export * from './schema/autonomy.ts';
export * from './schema/coder-result.ts';
export * from './schema/config.ts';
export * from './schema/credential.ts';
export * from './schema/decision.ts';
export * from './schema/error-body.ts';
export * from './schema/event.ts';
export * from './schema/gate.ts';
export { jsonSchemas } from './schema/json-schemas.ts';
export * from './schema/notification.ts';
export * from './schema/phase-record.ts';
export * from './schema/plan-run.ts';
export * from './schema/plan-view.ts';
export * from './schema/project.ts';
export * from './schema/qa.ts';
export * from './schema/question.ts';
export * from './schema/run.ts';
export * from './schema/task.ts';
export { Feedback } from './schema/work.ts';
export * from './schema/worktree.ts';
