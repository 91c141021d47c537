import * as z from 'zod';
import { FermataError } from '../schema/error.ts';

/** How the versions of the imitated program differ, as measured with the real ones. */
export interface Behaviour {
  version: string;
  /**
   * What happens to a question if nobody can be asked (plain `-p`): the tool does not exist and the turn continues; or
   * the tool exists and is refused; or the run ends and waits to be resumed, which no real version did.
   */
  unattendedQuestion: 'no_tool' | 'refused' | 'ends';
  /** Assistant events carry a timestamp, and `type` is not the first key of a result. */
  newShape: boolean;
  /** A session can be resumed from another folder. */
  resumesAnywhere: boolean;
  /** A parked question is asked again through the hook first, after `initialize`; otherwise at once, without the hook. */
  hookOnResume: boolean;
  /** A parked question next to another tool call still takes its answer. */
  parksBesideOthers: boolean;
  /** A call that was open when the process died stays in the history. */
  keepsOpenCall: boolean;
}

const oldest: Behaviour = {
  version: '2.1.29',
  unattendedQuestion: 'refused',
  newShape: false,
  resumesAnywhere: false,
  hookOnResume: false,
  parksBesideOthers: false,
  keepsOpenCall: false,
};

const newest: Behaviour = {
  version: '2.1.325',
  unattendedQuestion: 'no_tool',
  newShape: true,
  resumesAnywhere: true,
  hookOnResume: true,
  parksBesideOthers: true,
  keepsOpenCall: true,
};

export const behaviours = {
  '2.1.29': oldest,
  '2.1.197': { ...oldest, version: '2.1.197', unattendedQuestion: 'no_tool' },
  '2.1.325': newest,
  /** What the seed of this project assumed: in plain `-p`, a question ends the run until `--resume`. */
  seed: { ...newest, unattendedQuestion: 'ends' },
} as const satisfies Record<string, Behaviour>;

type BehaviourName = keyof typeof behaviours;
const behaviourNames = Object.keys(behaviours) as BehaviourName[];

const text = z.string();
const shared = {
  /** The tool call of the sub-agent that does this, if one does. */
  parent: text.optional(),
};
const call = {
  ...shared,
  toolUseId: text.min(1).optional(),
  /** Whether the person has to allow it first. */
  permission: z.boolean().optional(),
};

/** A question as the real tool takes it. `id` is not sent; it names the answer in later texts. */
const ScriptedQuestion = z.union([
  text.min(1),
  z.looseObject({
    id: text.min(1).optional(),
    question: text.min(1),
    header: text.optional(),
    options: z.array(z.looseObject({ label: text, description: text.optional() })).optional(),
    multiSelect: z.boolean().optional(),
  }),
]);
export type ScriptedQuestion = z.infer<typeof ScriptedQuestion>;

const ToolStep = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('ask'),
    questions: z.array(ScriptedQuestion).min(1),
    /** The agent takes the question back after this time, and continues. */
    takeBackAfterMs: z.number().nonnegative().optional(),
    ...shared,
    toolUseId: text.min(1).optional(),
  }),
  /** A tool that is only shown. */
  z.strictObject({
    do: z.literal('use'),
    tool: text.min(1),
    input: z.record(text, z.unknown()),
    result: text.optional(),
    ...call,
  }),
  z.strictObject({ do: z.literal('write'), path: text.min(1), content: text, ...call }),
  z.strictObject({ do: z.literal('edit'), path: text.min(1), replace: text.min(1), with: text, ...call }),
  z.strictObject({ do: z.literal('run'), command: text.min(1), ...call }),
]);
export type ToolStep = z.infer<typeof ToolStep>;
export type AskStep = Extract<ToolStep, { do: 'ask' }>;

export const Step = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('say'), text, ...shared }),
  z.strictObject({ do: z.literal('think'), text, ...shared }),
  ToolStep,
  /** Several tool calls in one message: its questions are open at once. */
  z.strictObject({ do: z.literal('together'), steps: z.array(ToolStep).min(1) }),
  z.strictObject({ do: z.literal('wait'), ms: z.number().nonnegative() }),
  /** Any event, on its own line. */
  z.strictObject({ do: z.literal('event'), event: z.record(text, z.unknown()) }),
  /** Anything on stdout: a line, or bytes that need not be text. */
  z.strictObject({ do: z.literal('raw'), line: text }),
  z.strictObject({ do: z.literal('bytes'), base64: z.base64() }),
  /** A lot of the same text, without newlines unless the text has them. */
  z.strictObject({
    do: z.literal('flood'),
    to: z.enum(['stdout', 'stderr']),
    bytes: z.number().int().positive(),
    text: text.min(1).optional(),
  }),
  z.strictObject({ do: z.literal('stderr'), text }),
  /** The turn ends with an error of the model; exit code 1. */
  z.strictObject({ do: z.literal('fail'), message: text.min(1) }),
  z.strictObject({ do: z.literal('crash'), signal: z.enum(['SIGKILL', 'SIGSEGV', 'SIGABRT']).optional() }),
  /** Ends at once, without a result. */
  z.strictObject({ do: z.literal('exit'), code: z.number().int().min(0).max(255) }),
  z.strictObject({ do: z.literal('closeStdout') }),
  /** Never ends, whatever happens to its input. */
  z.strictObject({ do: z.literal('hang') }),
]);
export type Step = z.infer<typeof Step>;

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
