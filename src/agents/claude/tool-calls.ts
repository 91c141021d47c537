interface Message {
  id: string;
  calls: Set<string>;
  /** The call that started the sub-agent that wrote the message. */
  parent: string | undefined;
}

/** The most messages that can still have an open call. */
const MESSAGES = 32;

/** Tracks which tool calls came in which message of the model: a message comes in several events, one per call. */
export class ToolCalls {
  readonly #messages: Message[] = [];
  /** The message that is not complete yet. */
  #streaming: string | undefined;

  add(messageId: string, toolUseId: string, parent: string | undefined): void {
    const known = this.#messages.find(({ id }) => id === messageId);
    if (known) known.calls.add(toolUseId);
    else this.#messages.push({ id: messageId, calls: new Set([toolUseId]), parent });
    if (this.#messages.length > MESSAGES) this.#messages.shift();
  }

  streams(messageId: string | undefined, isStreaming: boolean): void {
    if (isStreaming) this.#streaming = messageId;
    else if (this.#streaming === messageId) this.#streaming = undefined;
  }

  /** True while more calls may come in the same message. */
  isStreaming(toolUseId: string): boolean {
    return this.#streaming !== undefined && this.messageOf(toolUseId) === this.#streaming;
  }

  parentOf(toolUseId: string): string | undefined {
    return this.#of(toolUseId)?.parent;
  }

  messageOf(toolUseId: string): string | undefined {
    return this.#of(toolUseId)?.id;
  }

  /** True if the agent itself made the call and its message is known to have no other call. */
  isAlone(toolUseId: string): boolean {
    const message = this.#of(toolUseId);
    return message !== undefined && message.parent === undefined && message.calls.size === 1;
  }

  #of(toolUseId: string): Message | undefined {
    return this.#messages.find(({ calls }) => calls.has(toolUseId));
  }
}
