import type { NoticeText } from './notice-text.ts';

/** A service that reaches a person. `send` resolves once the service accepted it, and throws if it did not. */
export interface NoticeSink {
  name: string;
  /** `key` is the same for every attempt, so that a receiver can recognise a repeat. */
  send(notice: NoticeText, key: string): Promise<void>;
}
