import * as z from 'zod';
import { FermataError } from '../schema/error.ts';
import { type BehaviourName, behaviourNames, behaviours } from './behaviour.ts';
import { Step } from './step.ts';

const Invocation = z.strictObject({
  /** The id of a new session; a resumed session keeps its own. */
  sessionId: z.string().min(1).max(200).optional(),
  steps: z.array(Step),
  /** Whether it prints `system/init` first. */
  init: z.boolean().optional(),
  /** Whether it ends with a result. */
  result: z.boolean().optional(),
  exitCode: z.number().int().min(0).max(255).optional(),
  /** Dies of SIGKILL right after this many lines on stdout. */
  crashAfterEvents: z.number().int().positive().optional(),
  ignoresSigterm: z.boolean().optional(),
  /** The tokens of each message. */
  usage: z
    .strictObject({
      inputTokens: z.number().int().nonnegative(),
      outputTokens: z.number().int().nonnegative(),
    })
    .optional(),
});
export type Invocation = z.infer<typeof Invocation>;

/** What the scripted agent plays. Each input (a prompt, a message, an answer that resumes it) uses up one invocation. */
export const AgentScenario = z.strictObject({
  $schema: z.string().optional(),
  /** Which version of the real program it imitates. */
  behaves: z.enum(behaviourNames as [BehaviourName, ...BehaviourName[]]).default('2.1.325'),
  /** What `--version` prints, if not the imitated version. */
  version: z.string().min(1).optional(),
  /** Whether invocations are counted over all agents that play this file, or from the first one for each session. */
  counts: z.enum(['all', 'session']).default('all'),
  /** Whether the question tool exists. */
  canAsk: z.boolean().default(true),
  /** How long the session's log stays only in memory, so that a kill loses it. */
  flushAfterMs: z.number().nonnegative().default(0),
  /** Where counter, sessions and answers are kept; by default next to this file. */
  state: z.string().min(1).optional(),
  invocations: z.array(Invocation).min(1),
});
export type AgentScenario = z.output<typeof AgentScenario>;
export type AgentScenarioInput = z.input<typeof AgentScenario>;

export interface LoadedScenario extends AgentScenario {
  file: string;
  state: string;
}

/** The version that it prints. */
export const versionOf = (scenario: AgentScenario) =>
  scenario.version ?? behaviours[scenario.behaves].version;

export function checkScenario(value: unknown, what: string): AgentScenario {
  const result = AgentScenario.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.slice(0, 5).map((issue) => `  ${explain(issue, value)}`);
  throw new FermataError('invalid', `${what} is not a valid scenario. Fix this:\n${problems.join('\n')}`, {
    details: result.error.issues,
  });
}

const kinds = [...stepKinds(Step)];

function explain(issue: z.core.$ZodIssue, value: unknown): string {
  const place = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  const field = place.replace(/^\./, '') || 'the whole file';
  if (issue.code === 'unrecognized_keys')
    return `${field}: ${issue.keys.map((key) => `"${key}"`).join(', ')} is not known here; remove it.`;
  if (issue.path.at(-1) === 'do')
    return `${field}: ${JSON.stringify(at(value, issue.path))} is not a step; use one of ${kinds.join(', ')}.`;
  return `${field}: ${issue.message}.`;
}

function at(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
}

/** The kinds of steps, including those of a union inside the union. */
function* stepKinds(union: { options: readonly unknown[] }): Generator<string> {
  for (const option of union.options) {
    if (option instanceof z.ZodDiscriminatedUnion) yield* stepKinds(option);
    else if (option instanceof z.ZodObject) yield String((option.shape.do as z.ZodLiteral).value);
  }
}
