/** For tests of programs that run agents: a scripted agent that speaks the real one's protocol. */

export { scriptedAgentProgram } from './agents/process/program.ts';
export type { ScenarioHandle } from './testing/builder.ts';
export { calculator, interactivePlanning, multiRoundQa, ScenarioBuilder } from './testing/builder.ts';
export type { AgentScenarioInput, ScriptedQuestion, Step, ToolStep } from './testing/scenario.ts';
export type { AnswerRecord, TurnRecord } from './testing/session-log.ts';
