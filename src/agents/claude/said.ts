/** What people say to the agent without being asked, until the agent has taken it. */
export class Said {
  #waiting: { id: string; words: string }[] = [];
  readonly #sent = new Set<string>();

  /** Something has not been sent yet. */
  get isReady(): boolean {
    return this.#waiting.length > 0;
  }

  /** The agent may still begin a turn because of something that was sent. */
  get isUntaken(): boolean {
    return this.#sent.size > 0;
  }

  add(id: string, words: string): void {
    this.#waiting.push({ id, words });
  }

  /** Everything that was not sent yet, as one message. */
  send(): string {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { id } of waiting) this.#sent.add(id);
    return waiting.map(({ words }) => words).join('\n\n');
  }

  taken(id: string): void {
    this.#sent.delete(id);
  }

  forget(): void {
    this.#sent.clear();
  }
}
