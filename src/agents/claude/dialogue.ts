import type { Notification } from '../../schema/notification.ts';
import type { AgentEvent, AgentSetup, Remark } from '../driver.ts';
import { askForm } from '../questions/forms.ts';
import { proseId, proseQuestions } from '../questions/prose-question.ts';
import type { EndCause } from '../run/end.ts';
import type { SessionEvent, StreamEvent } from '../stream/events.ts';
import { ASK_TOOL, type Outgoing } from './wire.ts';

/** The key of the program's first input among the deliveries. */
export const BEGINNING = 'beginning';

/** What a dialogue wants done. The dialogue decides and keeps the state; the run owns the process, the timers and the readers. */
export type Action =
  | { do: 'emit'; event: AgentEvent }
  | { do: 'send'; message: Outgoing }
  /** The entire input, as plain text; stdin is closed after it. */
  | { do: 'say'; text: string }
  | { do: 'close' }
  /** Whether the agent has the answer; false means that it never will. */
  | { do: 'delivered'; askId: string; delivered: boolean }
  | { do: 'after'; ms: number; run(): Action[] }
  /** End the agent, and whatever it left running. */
  | { do: 'end'; cause: EndCause };

/** How a run talks to its agent in one of the modes. */
export interface Dialogue {
  begin(): Action[];
  hear(event: StreamEvent): Action[];
  /** Whether the question still waits for an answer, or an answer is on its way. */
  isOpen(askId: string): boolean;
  answer(askId: string, settled: Notification): Action[];
  permit(id: string, allowed: boolean, remark: Remark): Action[];
  /** A person says something without being asked. */
  say(id: string, words: string): Action[];
  /** The agent can no longer lose what was said with this id. */
  taken(id: string): Action[];
  /** The background work took longer than the person allows. */
  giveUp(): Action[];
  interrupt(): Action[];
  /** The program has exited by itself. */
  exited(): Action[];
  /** A person has to act before the agent can continue. */
  readonly isWaiting: boolean;
  /** The run ended in order to wait for an answer; the resumed session will get it. */
  readonly isParked: boolean;
  /** The agent was given work and has not reported that it is done. */
  readonly isBusy: boolean;
  /** The agent is between two turns while background work is still running. */
  readonly isLingering: boolean;
}

export const emit = (event: AgentEvent): Action => ({ do: 'emit', event });
export const send = (message: Outgoing): Action => ({ do: 'send', message });

/** Stops an agent that must be able to ask but cannot. */
export function cannotAsk(name: string, mustAsk: boolean, { tools, version }: SessionEvent): Action[] {
  // Some programs name no tools at all.
  if (!mustAsk || tools === undefined || tools.length === 0 || tools.includes(ASK_TOOL)) return [];
  const message = `${name}${version ? ` ${version}` : ''} does not offer ${ASK_TOOL} when started this way, so it cannot ask anybody. Fermata stopped it before it did anything. Update it, or choose another agent with --agent.`;
  return [{ do: 'end', cause: { reason: 'cannot_ask', message } }];
}

interface PlainPlan {
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
  /** Its input is closed. */
  say = (id: string): Action[] => [{ do: 'delivered', askId: id, delivered: false }];
  taken = (): Action[] => [];
  giveUp = (): Action[] => [];
  interrupt = (): Action[] => [];
  exited = (): Action[] => [];

  /** We see a question in the call, and again in the result if it was refused. */
  #ask(id: string | undefined, questions: unknown[], parent: string | undefined): Action[] {
    if (id === undefined || this.#asked.has(id) || this.#plan.asksElsewhere) return [];
    this.#asked.add(id);
    return [emit({ kind: 'question', ask: { id, questions, ...(parent ? { parent } : {}) } })];
  }
}
