/** For tests of programs that run agents: a scripted agent that speaks the real one's protocol. */

export { scriptedAgentProgram } from './agents/process/program.ts';
export { ScenarioBuilder } from './testing/builder.ts';
export type { ScenarioHandle } from './testing/handle.ts';
export { calculator, interactivePlanning, multiRoundQa } from './testing/prebuilt.ts';
export type { AgentScenarioInput } from './testing/scenario.ts';
export type { AnswerRecord, TurnRecord } from './testing/state-folder.ts';
export type { ScriptedQuestion, Step, ToolStep } from './testing/step.ts';
