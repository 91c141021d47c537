import type { AgentDriver, AgentRun, AgentSetup, RunEnd, Usage } from '../../../../src/agents/driver.ts';
import { noUsage } from '../../../../src/agents/driver.ts';

/** An agent that ends at once, each time with the next text; `crashed` and `failed` are how it ends instead. */
export function agentThatSays(texts: readonly string[], usage: Usage = noUsage) {
  const prompts: string[] = [];
  const start = (_: AgentSetup, prompt: string): AgentRun => {
    prompts.push(prompt);
    const text = texts[prompts.length - 1] ?? '';
    const reason: RunEnd['reason'] = text === 'crashed' || text === 'failed' ? text : 'ok';
    const none = { exitCode: 0, signal: null, stderrTail: '', skippedLines: 0 };
    const ended = Promise.resolve({ reason, message: 'It ended.', text, usage, ...none });
    const events: AgentRun['events'] = (async function* () {
      yield* [];
    })();
    const never = async () => false;
    return {
      events,
      ended,
      answer: never,
      permit: never,
      interrupt: async () => undefined,
      stop: () => ended,
    };
  };
  const driver: AgentDriver = {
    name: 'test',
    probe: async () => ({ found: true, program: 'x', version: '1' }),
    start,
    resume: (setup) => start(setup, 'resumed'),
  };
  return { driver, prompts };
}
