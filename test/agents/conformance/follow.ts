import type { AgentEvent, AgentRun, Ask } from '../../../src/agents/driver.ts';
import { normalizeQuestions } from '../../../src/ledger/notifications/questions.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Answer } from '../../../src/schema/question.ts';

type Kind = AgentEvent['kind'];
type OfKind<K extends Kind> = Extract<AgentEvent, { kind: K }>;

/** Reads a run's events and waits for those that a test wants. */
export class Follower {
  readonly run: AgentRun;
  readonly events: AgentEvent[] = [];
  #over = false;
  #wake: (() => void)[] = [];

  constructor(run: AgentRun) {
    this.run = run;
    void this.#read();
  }

  /** The next event of a kind that nobody has taken. */
  async take<K extends Kind>(kind: K): Promise<OfKind<K>> {
    for (;;) {
      const index = this.events.findIndex((event) => event.kind === kind);
      if (index >= 0) return this.events.splice(index, 1)[0] as OfKind<K>;
      if (this.#over) throw new Error(`No ${kind} before the end: ${JSON.stringify(await this.run.ended)}`);
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  async #read(): Promise<void> {
    for await (const event of this.run.events) {
      this.events.push(event);
      for (const wake of this.#wake.splice(0)) wake();
    }
    this.#over = true;
    for (const wake of this.#wake.splice(0)) wake();
  }
}

const by = { actor: { kind: 'person', name: 'Ada' }, channel: 'terminal' } as const;
const at = '2026-01-01T00:00:00.000Z';

/** The ask as the ledger would have it once a person has answered, in the order of its questions. */
export function settled(agent: string, ask: Ask, answers: Answer[], sessionId?: string): Notification {
  const { questions } = normalizeQuestions(ask.questions, at);
  return {
    id: `n-${ask.id}`,
    projectId: 'p',
    source: 'execute',
    sourceId: 't',
    kind: 'question',
    holds: {},
    status: 'answered',
    outcome: 'answered',
    questions,
    responses: questions.map(({ id }, index) => ({
      kind: 'answered',
      questionId: id,
      answer: answers[index] ?? '',
      by,
      at,
    })),
    policy: { kind: 'wait' },
    createdAt: at,
    createdBy: by,
    resume: { agent, toolCallId: ask.id, ...(sessionId === undefined ? {} : { sessionId }) },
  };
}
