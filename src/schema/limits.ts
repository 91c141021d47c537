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
  /** The open questions of one agent in one project. */
  openPerAgent: 1000,
  /** While an agent has this many open questions, what it asks comes after the questions of others. */
  openBeforeOverflow: 20,
  /** How long a claim may last without a heartbeat. */
  leaseSeconds: 12 * 3600,
  /** How much one agent may add and change in one project: this much at once, and as much again each minute. */
  perAgentAndMinute: { question: 120, notice: 60, task: 300, chat: 120, change: 600 },
  answer: 256 * 1024,
  note: 64 * 1024,
  reason: 4000,
  id: 200,
  /** The text of a filter. */
  filterText: 200,
  taskTitle: 1000,
  taskBody: 256 * 1024,
  chatText: 256 * 1024,
  /** Pieces of a human gate's material, and all of it as JSON. */
  material: 100,
  materialBytes: 1024 * 1024,
  /** One step of a run, as people see it. */
  runText: 2000,
  /** One notification with all its questions, as JSON. */
  notificationBytes: 1024 * 1024,
} as const;

/** What an agent has a rate limit for. */
export type AgentAction = keyof typeof limits.perAgentAndMinute;
