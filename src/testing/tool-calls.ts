import { randomUUID } from 'node:crypto';
import { type Decision, questionResult } from './decision.ts';
import type { TurnOutput } from './messages.ts';
import { ASK_TOOL, questionCall } from './questions.ts';
import type { AskStep, ToolStep } from './scenario.ts';
import type { Call } from './session-log.ts';
import { type Flow, fillingOf, heaviest, ON, type Stage } from './stage.ts';
import { runTool, shownCall } from './tools.ts';

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";
const DONT_ASK = (tool: string) =>
  `Permission to use ${tool} has been denied because Claude Code is running in don't ask mode.`;
const LOST = '[Tool result missing due to internal error]';

/** Makes the agent's tool calls: shows them, asks for permission, performs them, and shows the results. */
export class ToolCalls {
  readonly #stage: Stage;
  readonly #reply: TurnOutput;
  readonly #prompt: string;

  constructor(stage: Stage, reply: TurnOutput, prompt: string) {
    this.#stage = stage;
    this.#reply = reply;
    this.#prompt = prompt;
  }

  /** The calls of one message: its questions are open at once, everything else waits for them. */
  async make(steps: readonly ToolStep[]): Promise<Flow> {
    const asking: Promise<Flow>[] = [];
    const working: (() => Promise<Flow>)[] = [];
    for (const step of steps) {
      const call = this.#show(step);
      if (step.do === 'ask') asking.push(this.#ask(call, step, steps.length === 1));
      else working.push(() => this.#work(call, step));
    }
    const flows = await Promise.all(asking);
    for (const work of working) {
      if (!flows.some(({ kind }) => kind === 'interrupted')) flows.push(await work());
    }
    return heaviest(flows);
  }

  /** A parked question is asked again, under its own call. */
  async askAgain(call: Call, alone: boolean): Promise<Flow> {
    const decision = await this.#stage.host.decide(call, { permission: true });
    if (decision.kind === 'allowed' && !alone && !this.#stage.behaviour.parksBesideOthers) {
      this.#stage.session.add({ type: 'refused', toolUseId: call.toolUseId, message: LOST });
      this.#reply.toolResult(call, LOST, true, LOST);
      return ON;
    }
    return this.#settleQuestion(call, decision, alone);
  }

  #show(step: ToolStep): Call {
    const toolUseId = step.toolUseId ?? `toolu_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
    const call = this.#callOf(step, toolUseId);
    const ends = step.do === 'ask' && this.#endsWithQuestion();
    this.#reply.use(call, ends ? 'tool_use' : null);
    return call;
  }

  #callOf(step: ToolStep, toolUseId: string): Call {
    const { session, cwd } = this.#stage;
    if (step.do === 'ask') {
      const call = questionCall(step, toolUseId, session.standing.asked);
      session.add({ type: 'asked', call });
      return call;
    }
    const shown = shownCall(step, fillingOf(this.#stage, this.#prompt), cwd);
    return { toolUseId, ...shown, ...(step.parent === undefined ? {} : { parent: step.parent }) };
  }

  /** The seed assumed that a message stops at its question. */
  #endsWithQuestion(): boolean {
    return this.#stage.behaviour.unattendedQuestion === 'ends' && !this.#stage.attended;
  }

  async #ask(call: Call, step: AskStep, alone: boolean): Promise<Flow> {
    return this.#settleQuestion(call, await this.#decideQuestion(call, step.takeBackAfterMs), alone);
  }

  async #decideQuestion(call: Call, takeBackAfterMs: number | undefined): Promise<Decision> {
    const { tools, host } = this.#stage;
    if (!tools.includes(ASK_TOOL) && !this.#endsWithQuestion()) {
      const message = `Error: No such tool available: ${ASK_TOOL}. ${ASK_TOOL} exists but is not enabled in this context. Use one of the available tools instead.`;
      return { kind: 'no_tool', message };
    }
    if (host.permissionMode === 'dontAsk') return this.#dontAsk(call);
    return host.decide(call, { permission: true, takeBackAfterMs });
  }

  #settleQuestion(call: Call, decision: Decision, alone: boolean): Flow {
    if (decision.kind !== 'allowed') return this.#notAllowed(call, decision, alone);
    const { session, state, behaviour } = this.#stage;
    const { text, isError, answers, detail } = questionResult(call, decision.input, behaviour);
    session.add({ type: 'answered', toolUseId: call.toolUseId, answers });
    const at = new Date().toISOString();
    const own = { sessionId: session.id, toolUseId: call.toolUseId, how: decision.how, pid: process.pid, at };
    state.recordAnswers(answers.map((answer) => ({ ...answer, ...own })));
    this.#reply.toolResult(call, text, isError, detail);
    this.#takeMessages();
    return { kind: 'answered' };
  }

  /** What the person wrote meanwhile reaches the model with the result. */
  #takeMessages(): void {
    const { session } = this.#stage;
    for (const text of this.#stage.takeMessages()) session.add({ type: 'user', text });
  }

  async #work(call: Call, step: Exclude<ToolStep, { do: 'ask' }>): Promise<Flow> {
    const { host, cwd } = this.#stage;
    const permission = step.permission === true;
    const decision =
      permission && host.permissionMode === 'dontAsk'
        ? this.#dontAsk(call)
        : await host.decide(call, { permission });
    if (decision.kind !== 'allowed') return this.#notAllowed(call, decision, false);
    const { text, isError, detail } = await runTool(step, fillingOf(this.#stage, this.#prompt), cwd);
    this.#reply.toolResult(call, text, isError, detail);
    this.#takeMessages();
    return ON;
  }

  #dontAsk(call: Call): Decision {
    const message = DONT_ASK(call.tool);
    this.#reply.permissionDenied(call, message);
    return { kind: 'denied', message };
  }

  #notAllowed(call: Call, decision: Exclude<Decision, { kind: 'allowed' }>, alone: boolean): Flow {
    switch (decision.kind) {
      case 'parked':
        this.#stage.session.add({ type: 'parked', call, alone });
        return { kind: 'parked', call, alone };
      case 'ends':
        return { kind: 'waits' };
      case 'interrupted':
        return this.#refuse(call, REJECTED, 'User rejected tool use', { kind: 'interrupted' });
      case 'denied':
        return this.#refuse(call, decision.message, `Error: ${decision.message}`, ON);
      case 'no_tool':
        this.#stage.session.add({ type: 'refused', toolUseId: call.toolUseId, message: decision.message });
        this.#reply.toolResult(
          call,
          `<tool_use_error>${decision.message}</tool_use_error>`,
          true,
          decision.message,
        );
        return ON;
      default: {
        const never: never = decision;
        return never;
      }
    }
  }

  #refuse(call: Call, message: string, detail: string, flow: Flow): Flow {
    this.#stage.session.add({ type: 'refused', toolUseId: call.toolUseId, message });
    this.#reply.denials.push(call);
    this.#reply.toolResult(call, message, true, detail);
    return flow;
  }
}
