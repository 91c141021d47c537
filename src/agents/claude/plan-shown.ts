import type { PermissionEvent, TextEvent, ToolEvent } from '../stream/events.ts';
import { record, text } from '../stream/fields.ts';

const EXIT_PLAN_MODE = 'ExitPlanMode';

/**
 * The plan that an agent wants to carry out. Since 2.1.310 the request has it only if it is in a file; otherwise it is in
 * the call itself or in the text of the message.
 */
export class PlanShown {
  #call: { id: string | undefined; plan: string | undefined } | undefined;
  #message: { id: string | undefined; texts: string[] } = { id: undefined, texts: [] };

  said({ messageId, text: words, parent }: TextEvent): void {
    if (parent !== undefined) return;
    if (messageId !== this.#message.id) this.#message = { id: messageId, texts: [] };
    this.#message.texts.push(words);
  }

  called({ name, toolUseId: id, input }: ToolEvent): void {
    if (name === EXIT_PLAN_MODE) this.#call = { id, plan: text(record(input).plan) };
  }

  /** The input of a permission, with its plan. */
  in({ tool, toolUseId, input }: PermissionEvent): unknown {
    if (tool !== EXIT_PLAN_MODE || text(record(input).plan) !== undefined) return input;
    const called = this.#call?.id === toolUseId ? this.#call?.plan : undefined;
    const plan = called ?? this.#message.texts.join('\n\n');
    return plan === '' ? input : { ...record(input), plan };
  }
}
