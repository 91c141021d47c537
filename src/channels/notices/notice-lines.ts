import type { NoticeText } from './notice-text.ts';

/** A notice's question as plain text, with a bar before each line of what is approved. */
export function noticeLines({ text, shown, more, proposal }: NoticeText['questions'][number]): string[] {
  return [
    text,
    ...shown.flatMap(({ caption, lines }) => [`${caption}:`, ...lines.map((line) => `│ ${line}`)]),
    ...(more === undefined ? [] : [more]),
    ...(proposal === undefined ? [] : [proposal]),
  ];
}
