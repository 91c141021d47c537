import * as z from 'zod';

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
