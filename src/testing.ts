/** For tests of what runs agents: a scripted agent that speaks the real one's protocol. */
export { ScenarioBuilder } from './agents/scripted/builder.ts';
export type { ScenarioHandle } from './agents/scripted/handle.ts';
export { calculator, interactivePlanning, multiRoundQa } from './agents/scripted/prebuilt.ts';
export { scriptedAgentProgram } from './agents/scripted/program.ts';
export type { AgentScenarioInput } from './agents/scripted/scenario.ts';
export type { AnswerRecord, TurnRecord } from './agents/scripted/state-folder.ts';
export type { ScriptedQuestion, Step, ToolStep } from './agents/scripted/step.ts';
