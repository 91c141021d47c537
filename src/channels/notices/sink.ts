import type { NoticeText } from './notice-text.ts';

/** A way out to a person. `send` resolves once it was taken, and throws where it was not. */
export interface NoticeSink {
  name: string;
  /** `key` is the same for every attempt, for a receiver that can tell a repeat by it. */
  send(notice: NoticeText, key: string): Promise<void>;
}
