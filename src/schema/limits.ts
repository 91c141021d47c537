/** Everything that comes from an agent, a model or a file is bounded by these. */
export const limits = {
  questionText: 64 * 1024,
  context: 256 * 1024,
  header: 200,
  /** Pieces that are shown verbatim with one question. */
  verbatim: 50,
  optionLabel: 2000,
  optionDescription: 16 * 1024,
  optionPreview: 128 * 1024,
  options: 100,
  questions: 100,
  /** Of one agent in one project. */
  openPerAgent: 1000,
  /** What an agent asks while it has so many open comes after the questions of others. */
  openBeforeOverflow: 20,
  /** What one agent may add and change in one project: so many at once, and as many again each minute. */
  perAgentAndMinute: { question: 120, notice: 60, task: 300, chat: 120, change: 600 },
  answer: 256 * 1024,
  note: 64 * 1024,
  reason: 4000,
  id: 200,
  /** What somebody looks for in a list. */
  filterText: 200,
  taskTitle: 1000,
  taskBody: 256 * 1024,
  chatText: 256 * 1024,
  /** Pieces of a human gate's material, and all of it as JSON. */
  material: 100,
  materialBytes: 1024 * 1024,
  /** One step of a run, as it is shown to those who watch. */
  runText: 2000,
  /** One notification with all its questions, as JSON. */
  notificationBytes: 1024 * 1024,
} as const;

/** What an agent has a rate for. */
export type AgentAction = keyof typeof limits.perAgentAndMinute;
