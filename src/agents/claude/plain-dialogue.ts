import type { AgentSetup } from '../driver.ts';
import { askForm } from '../questions/forms.ts';
import { proseId, proseQuestions } from '../questions/prose-question.ts';
import type { StreamEvent } from '../stream/events.ts';
import { cannotAsk } from './cannot-ask.ts';
import { type Action, type Dialogue, emit } from './dialogue.ts';
import { ASK_TOOL } from './tools.ts';

export interface PlainPlan {
  name: string;
  setup: Pick<AgentSetup, 'mustAsk'>;
  /** The prompt, or the text that a session is resumed with. */
  text: string;
  /** Whether something else, such as our MCP server, handles the agent's questions. */
  asksElsewhere: boolean;
}

/** One prompt, one process. We read its questions, but answer them by resuming the session. */
export class PlainDialogue implements Dialogue {
  readonly isWaiting = false;
  /** Its input is closed from the start, so the CLI decides how long it waits for background work. */
  readonly isLingering = false;
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
      case 'turn':
        this.#isBusy = true;
        return [];
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
  unwoken = (): Action[] => [];
  giveUp = (): Action[] => [];
  interrupt = (): Action[] => [];

  /** We see a question in the call, and again in the result if it was refused. */
  #ask(id: string | undefined, questions: unknown[], parent: string | undefined): Action[] {
    if (id === undefined || this.#asked.has(id) || this.#plan.asksElsewhere) return [];
    this.#asked.add(id);
    return [emit({ kind: 'question', ask: { id, questions, ...(parent ? { parent } : {}) } })];
  }
}
