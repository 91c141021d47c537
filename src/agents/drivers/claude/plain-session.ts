import type { AgentSetup } from '../../driver.ts';
import { askForm } from '../../form.ts';
import type { StreamEvent } from '../../stream/events.ts';
import { cannotAsk } from './cannot-ask.ts';
import { proseQuestions } from './prose-question.ts';
import { type Action, emit, type Session } from './session.ts';
import { ASK_TOOL } from './wire.ts';
import { proseId } from './words.ts';

export interface PlainPlan {
  name: string;
  setup: Pick<AgentSetup, 'mustAsk'>;
  /** The prompt, or what a session is resumed with. */
  text: string;
  /** Whether somebody else, such as our MCP server, takes the agent's questions. */
  asksElsewhere: boolean;
}

/** One prompt, one process. What it asks is heard, but the answer comes in a session that is resumed with it. */
export class PlainSession implements Session {
  readonly isWaiting = false;
  readonly #plan: PlainPlan;
  readonly #asked = new Set<string>();
  #isBusy = true;
  #message = '';

  constructor(plan: PlainPlan) {
    this.#plan = plan;
  }

  get isParked(): boolean {
    return this.#asked.size > 0;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  begin(): Action[] {
    return [{ do: 'say', text: this.#plan.text }];
  }

  hear(event: StreamEvent): Action[] {
    switch (event.type) {
      case 'session':
        return event.init ? cannotAsk(this.#plan.name, this.#plan.setup.mustAsk, event) : [];
      case 'message':
        this.#message = event.messageId ?? this.#message;
        return [];
      case 'text':
        return event.parent === undefined ? [emit({ kind: 'text', text: event.text })] : [];
      case 'tool': {
        const { toolUseId: id = '', name, input, parent } = event;
        if (name === ASK_TOOL && !this.#plan.asksElsewhere) return [];
        return [emit({ kind: 'tool', id, name, input, ...(parent ? { parent } : {}) })];
      }
      case 'question': {
        const form = askForm(event.input);
        return typeof form === 'string' ? [] : this.#ask(event.toolUseId, form.questions, event.parent);
      }
      case 'result': {
        this.#isBusy = false;
        const questions = event.ok && this.#plan.setup.mustAsk ? proseQuestions(event.text ?? '') : [];
        if (questions.length === 0 || this.#asked.size > 0) return [];
        const id = proseId(this.#message);
        this.#asked.add(id);
        return [emit({ kind: 'question', ask: { id, questions, prose: true } })];
      }
      default:
        return [];
    }
  }

  isOpen = () => false;
  answer = (): Action[] => [];
  permit = (): Action[] => [];
  due = (): Action[] => [];
  quiet = (): Action[] => [];
  interrupt = (): Action[] => [];

  /** It is seen in the call, and once more in the result where it was refused. */
  #ask(id: string | undefined, questions: unknown[], parent: string | undefined): Action[] {
    if (id === undefined || this.#asked.has(id) || this.#plan.asksElsewhere) return [];
    this.#asked.add(id);
    return [emit({ kind: 'question', ask: { id, questions, ...(parent ? { parent } : {}) } })];
  }
}
