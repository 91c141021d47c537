import type { PermissionAsk, Remark, Suggestion } from '../driver.ts';
import { consentAsked, consentResult } from '../questions/forms.ts';
import { REFUSED } from '../questions/permission-question.ts';
import type { Thread } from '../run/background-tasks.ts';
import { isRecord, type JsonRecord, list, record, text, texts } from '../stream/agent-reader.ts';
import type { PermissionEvent, QuestionEvent, TextEvent, ToolEvent } from '../stream/events.ts';
import { type Action, emit, send } from './dialogue.ts';
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
      const updates = offers.filter(({ id }) => id === suggestion).map(({ update }) => update);
      return { decision: wire.allow(requestId, input, updates), hasNote: false };
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

/** A broader permission that Claude Code offers, with the update to send back if a person accepts it. */
interface Offer extends Suggestion {
  update: JsonRecord;
}

/** Nobody reads more than this on one line before approving it. */
const MAX_LENGTH = 200;
const MAX = 3;

/**
 * Offers rules and folders, for this session only. It never offers a mode: with `acceptEdits`, the agent would write
 * files that steer agents and hooks without asking.
 */
export function offersOf(request: unknown): Offer[] {
  return list(record(request).permission_suggestions)
    .filter(isRecord)
    .flatMap((update, index) => {
      const effect = effectOf(update);
      return effect === undefined || !isShort(effect) ? [] : [{ id: String(index), effect, update }];
    })
    .slice(0, MAX);
}

function effectOf(update: JsonRecord): string | undefined {
  if (update.type === 'addDirectories') {
    const folders = texts(update.directories);
    return folders.length > 0
      ? `let it work in ${folders.map(quoted).join(' and ')} for this session`
      : undefined;
  }
  if (update.type !== 'addRules' || update.behavior !== 'allow') return undefined;
  const rules = list(update.rules).map(ruleWords);
  if (rules.length === 0 || rules.includes(undefined)) return undefined;
  return `allow ${rules.join(' and ')} for this session`;
}

function ruleWords(rule: unknown): string | undefined {
  const { toolName, ruleContent } = record(rule);
  const tool = text(toolName);
  if (tool === undefined) return undefined;
  const content = text(ruleContent);
  return content === undefined
    ? `every use of ${quoted(tool)}`
    : quoted(tool === 'Bash' ? content : `${tool}(${content})`);
}

const quoted = (words: string) => `\`${words}\``;
const isShort = (effect: string) => effect.length <= MAX_LENGTH && !/[\r\n]/.test(effect);

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
