import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { visible } from '../../schema/visible.ts';
import { type NoticeText, noticeLines } from './notice-text.ts';
import type { NoticeSink } from './sink.ts';

const LIMIT_MS = 10_000;

/** The desktop of the hub's machine. Texts are arguments of a program, never part of a script. */
export function desktopSink(platform: NodeJS.Platform = process.platform): NoticeSink {
  return {
    name: 'desktop',
    async send(notice) {
      const [program, ...args] = desktopCommand(platform, notice);
      await promisify(execFile)(program, args, { timeout: LIMIT_MS });
    },
  };
}

export function desktopCommand(
  platform: NodeJS.Platform,
  { title, questions }: NoticeText,
): [string, ...string[]] {
  const text = visible(questions.flatMap(noticeLines).join('\n'));
  if (platform === 'darwin') {
    const script = 'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run';
    return ['osascript', '-e', script, visible(title), text];
  }
  // notify-send renders some markup, and interprets backslash escapes.
  const plain = text
    .replaceAll('\\', '\\\\')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
  return ['notify-send', '--app-name=Fermata', '--', visible(title), plain];
}
