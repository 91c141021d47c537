import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { FermataError } from '../schema/error.ts';
import { type AgentScenarioInput, checkScenario, type LoadedScenario, type Step } from './scenario.ts';

/** Reads a scenario file; an error names the place. */
export function loadScenario(file: string, cwd: string): LoadedScenario {
  const path = resolve(cwd, file);
  const value = parse(path);
  const scenario = checkScenario(hasEvents(value) ? fromEvents(value, path) : value, path);
  return { ...scenario, file: path, state: resolve(dirname(path), scenario.state ?? `${path}.state`) };
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new FermataError(
      'invalid',
      `Cannot read ${path} as a scenario: ${(cause as Error).message}. FAKE_CLAUDE_CONFIG or --scenario must name a JSON file with "invocations".`,
      { cause },
    );
  }
}

const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.record(z.string(), z.unknown()).optional(),
});

const Tokens = z.looseObject({
  input_tokens: z.number().int().nonnegative(),
  output_tokens: z.number().int().nonnegative(),
});

const Event = z.looseObject({
  type: z.string(),
  subtype: z.string().optional(),
  session_id: z.string().optional(),
  message: z
    .looseObject({ content: z.union([z.string(), z.array(Block)]), usage: Tokens.optional() })
    .optional(),
});

/** A scenario in which each invocation lists the events to print, and a file counts the invocations. */
const EventsScenario = z.strictObject({
  counter_path: z.string().min(1),
  invocations: z
    .array(
      z.strictObject({
        events: z.array(Event),
        raw_lines: z.array(z.string()).optional(),
        delay_ms: z.number().nonnegative().optional(),
        initial_delay_ms: z.number().nonnegative().optional(),
        crash_after_events: z.number().int().nonnegative().optional(),
        /** Whether files are written and commands run, or only shown. */
        execute_tools: z.boolean().optional(),
        exit_code: z.number().int().min(0).max(255).optional(),
        token_config: Tokens.optional(),
      }),
    )
    .min(1),
});
type EventsInvocation = z.infer<typeof EventsScenario>['invocations'][number];

/** Whether a value is such a scenario rather than one in our format. */
export const hasEvents = (value: unknown): boolean =>
  z.looseObject({ counter_path: z.unknown() }).safeParse(value).success ||
  z.looseObject({ invocations: z.array(z.looseObject({ events: z.unknown() })).min(1) }).safeParse(value)
    .success;

/**
 * Converts such a scenario to our format: questions are asked, texts said, tools shown; anything else is printed
 * unchanged.
 */
export function fromEvents(value: unknown, what: string): AgentScenarioInput {
  const read = EventsScenario.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue?.path.join('.') || 'the whole file';
    throw new FermataError(
      'invalid',
      `${what} lists events, but ${place} is wrong: ${issue?.message}. Give each invocation "events", and the file a "counter_path".`,
    );
  }
  const { counter_path, invocations } = read.data;
  return { behaves: 'seed', state: `${counter_path}.state`, invocations: invocations.map(invocationOf) };
}

function invocationOf(invocation: EventsInvocation): AgentScenarioInput['invocations'][number] {
  const { events, raw_lines = [], delay_ms, initial_delay_ms } = invocation;
  const { crash_after_events, exit_code, token_config } = invocation;
  const sessionId = events.find((event) => isInit(event) && event.session_id)?.session_id;
  const tokens = token_config ?? events.find(({ message }) => message?.usage)?.message?.usage;
  const last = crash_after_events ?? events.length;
  const steps = events.slice(0, last).flatMap((event): Step[] => {
    const own = stepsOf(event, invocation.execute_tools === true);
    return delay_ms === undefined || own.length === 0 ? own : [{ do: 'wait', ms: delay_ms }, ...own];
  });
  return {
    ...(sessionId ? { sessionId } : {}),
    steps: [
      ...(initial_delay_ms === undefined ? [] : [{ do: 'wait', ms: initial_delay_ms } as const]),
      ...raw_lines.map((line): Step => ({ do: 'raw', line })),
      ...steps,
      ...(crash_after_events === undefined ? [] : [{ do: 'exit', code: 1 } as const]),
    ],
    ...(exit_code === undefined ? {} : { exitCode: exit_code }),
    ...(tokens ? { usage: { inputTokens: tokens.input_tokens, outputTokens: tokens.output_tokens } } : {}),
  };
}

const isInit = ({ type, subtype }: z.infer<typeof Event>) =>
  type === 'system' && (subtype ?? 'init') === 'init';

/** The scripted agent prints the first and the last event of a turn itself. */
function stepsOf(event: z.infer<typeof Event>, executes: boolean): Step[] {
  if (isInit(event) || event.type === 'result') return [];
  const content = event.message?.content;
  if (event.type !== 'assistant' || content === undefined) return [{ do: 'event', event }];
  if (typeof content === 'string') return [{ do: 'say', text: content }];
  return content.flatMap((block) => stepsOfBlock(block, executes));
}

function stepsOfBlock(block: z.infer<typeof Block>, executes: boolean): Step[] {
  const { type, text, thinking, id, name, input = {} } = block;
  const call = id ? { toolUseId: id } : {};
  if (type === 'text') return [{ do: 'say', text: text ?? '' }];
  if (type === 'thinking') return [{ do: 'think', text: thinking ?? text ?? '' }];
  if (type !== 'tool_use' || !name) return [];
  const asked = z.array(z.union([z.string().min(1), z.looseObject({ question: z.string().min(1) })])).min(1);
  const questions = name === 'AskUserQuestion' ? asked.safeParse(input.questions) : undefined;
  if (questions?.success) return [{ do: 'ask', questions: questions.data, ...call }];
  const { file_path: path, content, command } = input;
  if (executes && name === 'Write' && typeof path === 'string' && typeof content === 'string') {
    return [{ do: 'write', path, content, ...call }];
  }
  if (executes && name === 'Bash' && typeof command === 'string') return [{ do: 'run', command, ...call }];
  return [{ do: 'use', tool: name, input, ...call }];
}
