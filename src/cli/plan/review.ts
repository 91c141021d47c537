import { parseMilliseconds } from '../../config/duration.ts';
import { reviewPhase } from '../../work/review/review-phase.ts';
import { type AgentOptions, chooseAgent } from '../agents/choose.ts';
import { interruptible } from '../interrupt.ts';
import { tell } from '../output.ts';
import { type PlanOptions, withPhase } from './plan-place.ts';

export interface ReviewOptions extends PlanOptions, Partial<AgentOptions> {
  timeout: string;
}

export function review(number: string, variant: string | undefined, options: ReviewOptions): Promise<object> {
  const timeoutMs = parseMilliseconds(options.timeout, '--timeout');
  return interruptible((signal) =>
    withPhase(options, number, variant, async (place, at) => {
      const { settings } = place;
      const configured = settings.file?.config.reviewer;
      const agent = options.agent ?? (options.agentCommand ? 'command' : (configured?.agent ?? 'gemini'));
      const model = options.model ?? configured?.model;
      const wanted = { ...asDriver(agent, options.agentCommand), model };
      const { driver, setup } = await chooseAgent({ settings }, wanted, {
        cwd: place.cwd,
        mustAsk: false,
        timeoutMs,
      });
      const identity = { ...setup.identity, ...(agent === 'gemini' ? geminiKeys() : {}) };
      return reviewPhase(place, at, { driver, setup: (cwd) => ({ ...setup, cwd, identity }), signal, tell });
    }),
  );
}

/** The Gemini CLI takes a prompt on stdin and prints its answer. */
function asDriver(agent: string, program: string | undefined): AgentOptions {
  if (agent === 'gemini') return { agent: 'command', agentCommand: program ?? 'gemini' };
  return { agent, agentCommand: program };
}

/** Its own keys and settings, which no other program gets to see. */
function geminiKeys(): Record<string, string> {
  const own = Object.entries(process.env).filter(([name]) => /^(?:GEMINI|GOOGLE)_/.test(name));
  return Object.fromEntries(own.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
