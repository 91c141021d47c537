import type { PermissionAsk, Remark } from '../driver.ts';
import { consentAsked, consentResult } from '../questions/forms.ts';
import { REFUSED } from '../questions/permission-question.ts';
import type { Thread } from '../run/background-tasks.ts';
import type { PermissionEvent, QuestionEvent } from '../stream/events.ts';
import { record, text } from '../stream/fields.ts';
import { type Action, emit, send } from './dialogue.ts';
import { offersOf } from './suggestions.ts';
import * as wire from './wire.ts';

interface OpenPermission {
  requestId: string;
  /** What the decision is about, as part of a sentence to the agent: "I approved … with a note". */
  what: string;
  /** The message for a decision. If it has no room for a note, the note is sent after it. */
  decide(allowed: boolean, remark: Remark): { decision: wire.Outgoing; hasNote: boolean };
}

/** The permissions that the agent waits for: tools, and yes-or-no questions of MCP servers. */
export class Permissions {
  readonly #open = new Map<string, OpenPermission>();

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  /** `shown` is the input that a person sees if the request contains less. */
  asked(event: PermissionEvent, thread: Thread, shown: unknown = event.input): Action[] {
    const { toolUseId, tool, input, request } = event;
    const reason = text(record(request).decision_reason);
    const requestId = String(event.requestId);
    const offers = offersOf(request);
    const suggestions = offers.map(({ id, effect }) => ({ id, effect }));
    const ask = {
      id: toolUseId ?? requestId,
      tool,
      input: shown,
      ...(reason === undefined ? {} : { reason }),
      ...(suggestions.length > 0 ? { suggestions } : {}),
      ...thread,
    };
    return this.#ask(ask, requestId, (allowed, { note, suggestion }) => {
      if (!allowed) return { decision: wire.deny(requestId, note ?? REFUSED), hasNote: true };
      const taken = offers.filter(({ id }) => id === suggestion).map(({ update }) => update);
      return { decision: wire.allow(requestId, input, taken), hasNote: false };
    });
  }

  /** An elicitation that allows only yes or no; undefined if it is a form. */
  elicited(event: QuestionEvent): Action[] | undefined {
    const { input } = event;
    const consent = consentAsked(input);
    if (!consent) return undefined;
    const requestId = String(event.requestId);
    return this.#ask({ id: requestId, ...consent }, requestId, (allowed) => ({
      decision: wire.success(requestId, consentResult(input, allowed)),
      hasNote: false,
    }));
  }

  permit(id: string, allowed: boolean, remark: Remark): Action[] {
    const open = this.#open.get(id);
    if (!open) return [];
    this.#open.delete(id);
    const { what } = open;
    const { decision, hasNote } = open.decide(allowed, remark);
    const { note } = remark;
    if (note === undefined || hasNote) return [send(decision)];
    const words = `I ${allowed ? 'approved' : 'rejected'} ${what}, with a note: ${note}`;
    return [send(decision), send(wire.userMessage(words))];
  }

  cancelled(requestId: string): Action[] {
    for (const [id, open] of this.#open) {
      if (open.requestId !== requestId) continue;
      this.#open.delete(id);
      return [emit({ kind: 'cancelled', askId: id })];
    }
    return [];
  }

  #ask(ask: PermissionAsk, requestId: string, decide: OpenPermission['decide']): Action[] {
    const what = ask.asker === undefined ? 'this' : `what your sub-agent "${ask.asker}" wanted (${ask.tool})`;
    this.#open.set(ask.id, { requestId, what, decide });
    return [emit({ kind: 'permission', ...ask })];
  }
}
