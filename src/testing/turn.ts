import { setTimeout as delay } from 'node:timers/promises';
import { TurnOutput } from './messages.ts';
import { fill, restatedAnswers } from './questions.ts';
import type { Invocation, Step } from './scenario.ts';
import type { Call } from './session-log.ts';
import { type Flow, fillingOf, ON, type Stage } from './stage.ts';
import { ToolCalls } from './tool-calls.ts';

/** The input of a turn: a text, or a parked question that is asked again. */
export type TurnInput = { prompt: string } | { parked: { call: Call; alone: boolean } };

/** The exit code of the program. It exits when its input ends, or at once if `now` is set. */
export interface TurnEnd {
  code: number;
  now: boolean;
}

interface Part {
  invocation: Invocation;
  step: number;
}

/** Plays from one input to the end of the agent's turn. */
export class Turn {
  readonly #stage: Stage;
  readonly #input: TurnInput;
  readonly #prompt: string;
  readonly #reply: TurnOutput;
  readonly #calls: ToolCalls;
  readonly #interruption: Promise<void>;
  #interrupted = false;

  constructor(stage: Stage, input: TurnInput) {
    this.#stage = stage;
    this.#input = input;
    this.#prompt = 'prompt' in input ? input.prompt : '';
    this.#reply = new TurnOutput(stage, stage.output);
    this.#calls = new ToolCalls(stage, this.#reply, this.#prompt);
    this.#interruption = stage.host.interruption().then(() => {
      this.#interrupted = true;
    });
  }

  async play(): Promise<TurnEnd> {
    const opening = await this.#open();
    if (!canContinue(opening)) return this.#close(opening, undefined);
    let part = this.#resumedPart() ?? this.#nextPart();
    if (!part) return this.#stage.session.standing.at ? this.#close(ON, undefined) : this.#exhausted();
    if (part.invocation.init !== false) this.#reply.begin();
    let flow = await this.#playSteps(part);
    // After a question at the very end, the next invocation continues, in this process or in a resumed one.
    while (flow.kind === 'answered') {
      const next = this.#nextPart();
      if (!next) break;
      part = next;
      flow = await this.#playSteps(part);
    }
    if (canContinue(flow)) this.#stage.session.add({ type: 'ended' });
    return this.#close(flow, part.invocation);
  }

  async #open(): Promise<Flow> {
    if ('parked' in this.#input) {
      const { call, alone } = this.#input.parked;
      return this.#calls.askAgain(call, alone);
    }
    this.#hear(this.#input.prompt);
    return ON;
  }

  /** A text may bring answers to what was asked before. */
  #hear(prompt: string): void {
    const { session, state } = this.#stage;
    const restated = restatedAnswers(prompt, session.standing.unanswered);
    session.add({ type: 'user', text: prompt });
    for (const { call, answers } of restated) {
      if (answers.length === 0) continue;
      const own = {
        sessionId: session.id,
        toolUseId: call.toolUseId,
        how: 'text' as const,
        pid: process.pid,
      };
      session.add({ type: 'answered', toolUseId: call.toolUseId, answers });
      state.recordAnswers(answers.map((answer) => ({ ...answer, ...own, at: new Date().toISOString() })));
    }
  }

  /** The interrupted invocation, from where it stopped. A question that was lost is asked again. */
  #resumedPart(): Part | undefined {
    const { at, lost } = this.#stage.session.standing;
    const invocation = at && this.#stage.scenario.invocations[at.invocation];
    if (!at || !invocation) return undefined;
    const step = lost.length > 0 ? at.step - 1 : at.step;
    if (step >= invocation.steps.length) return undefined;
    this.#record(at.invocation, true);
    return { invocation, step };
  }

  /** The next invocation that nobody has taken. */
  #nextPart(): Part | undefined {
    const { scenario, state, session, output } = this.#stage;
    const number =
      this.#stage.claimed.shift() ?? (scenario.counts === 'session' ? session.standing.turns : state.claim());
    const invocation = scenario.invocations[number];
    if (!invocation) return undefined;
    session.add({ type: 'turn', invocation: number });
    this.#record(number, false);
    output.crashAfter = invocation.crashAfterEvents;
    return { invocation, step: 0 };
  }

  #record(invocation: number, continued: boolean): void {
    const { state, session, resumed, args, cwd } = this.#stage;
    const prompt = 'prompt' in this.#input ? { prompt: this.#input.prompt } : {};
    state.recordTurn({
      invocation,
      continued,
      sessionId: session.id,
      ...(resumed === undefined ? {} : { resumed }),
      ...prompt,
      args,
      cwd,
      pid: process.pid,
      at: new Date().toISOString(),
    });
  }

  async #playSteps({ invocation, step: first }: Part): Promise<Flow> {
    if (invocation.usage) this.#reply.tokensPerMessage = invocation.usage;
    this.#stage.ignoreSigterm(invocation.ignoresSigterm === true);
    let flow: Flow = ON;
    for (const [index, step] of invocation.steps.entries()) {
      if (index < first) continue;
      this.#stage.session.add({ type: 'step', step: index });
      flow = await this.#do(step);
      if (!canContinue(flow)) return flow;
      if (this.#interrupted) return { kind: 'interrupted' };
    }
    return flow;
  }

  async #do(step: Step): Promise<Flow> {
    const { output, session } = this.#stage;
    switch (step.do) {
      case 'say': {
        const text = fill(step.text, fillingOf(this.#stage, this.#prompt));
        session.add({ type: 'said', text });
        this.#reply.say(text, step.parent);
        return ON;
      }
      case 'think':
        this.#reply.think(step.text, step.parent);
        return ON;
      case 'ask':
      case 'use':
      case 'write':
      case 'edit':
      case 'run':
        return this.#calls.make([step]);
      case 'together':
        return this.#calls.make(step.steps);
      case 'wait':
        await Promise.race([delay(step.ms), this.#interruption]);
        return ON;
      case 'event':
        output.event(step.event);
        return ON;
      case 'raw':
        output.line(step.line);
        return ON;
      case 'bytes':
        await output.bytes(Buffer.from(step.base64, 'base64'));
        return ON;
      case 'flood':
        await output.flood(step.to, step.text ?? 'x', step.bytes);
        return ON;
      case 'stderr':
        process.stderr.write(step.text);
        return ON;
      case 'fail':
        return { kind: 'failed', message: step.message };
      case 'crash':
        await output.flushed();
        process.kill(process.pid, step.signal ?? 'SIGKILL');
        return this.#forever();
      case 'exit':
        return { kind: 'exit', code: step.code };
      case 'closeStdout':
        await output.close();
        return ON;
      case 'hang':
        return this.#forever();
      default: {
        const never: never = step;
        return never;
      }
    }
  }

  #forever(): Promise<never> {
    setInterval(() => undefined, 1 << 30);
    return new Promise(() => undefined);
  }

  /** Ends the turn as the real program does. */
  #close(flow: Flow, invocation: Invocation | undefined): TurnEnd {
    const code = invocation?.exitCode;
    const silent = invocation?.result === false;
    const end = (isError: boolean): TurnEnd => ({ code: code ?? (isError ? 1 : 0), now: code !== undefined });
    if (flow.kind === 'exit') return { code: flow.code, now: true };
    if (silent) return { ...end(false), now: true };
    switch (flow.kind) {
      case 'on':
      case 'answered':
        this.#reply.result({
          subtype: 'success',
          isError: false,
          stopReason: 'end_turn',
          terminalReason: 'completed',
        });
        return end(false);
      case 'waits':
        this.#reply.result({ subtype: 'success', isError: false, stopReason: 'tool_use' });
        return end(false);
      case 'parked':
        this.#reply.result({
          subtype: 'success',
          isError: false,
          text: '',
          stopReason: 'tool_deferred',
          terminalReason: 'tool_deferred',
          parked: flow.call,
        });
        return end(false);
      case 'failed':
        this.#reply.say(flow.message);
        this.#reply.result({
          subtype: 'success',
          isError: true,
          stopReason: 'stop_sequence',
          terminalReason: 'completed',
        });
        return end(true);
      case 'interrupted': {
        this.#stage.session.add({ type: 'interrupted' });
        const inTool = this.#reply.denials.length > 0;
        this.#reply.interrupted(`[Request interrupted by user${inTool ? ' for tool use' : ''}]`);
        this.#reply.result({
          subtype: 'error_during_execution',
          isError: true,
          stopReason: inTool ? 'tool_use' : null,
          terminalReason: inTool ? 'aborted_tools' : 'aborted_streaming',
          errors: [],
        });
        return end(true);
      }
      default: {
        const never: never = flow;
        return never;
      }
    }
  }

  /** A scenario that is too short is a mistake of its author, and must not look like a silent agent. */
  #exhausted(): TurnEnd {
    const { file, invocations } = this.#stage.scenario;
    const message = `The scenario ${file} has ${invocations.length} invocations, and all of them have run. Add one with nextInvocation().`;
    process.stderr.write(`${message}\n`);
    this.#reply.result({
      subtype: 'error_during_execution',
      isError: true,
      stopReason: null,
      errors: [message],
    });
    return { code: 1, now: true };
  }
}

const canContinue = (flow: Flow) => flow.kind === 'on' || flow.kind === 'answered';
