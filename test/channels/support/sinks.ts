import { desktopCommand } from '../../../src/channels/notices/desktop.ts';
import type { NoticeText } from '../../../src/channels/notices/notice-text.ts';
import { ntfySink } from '../../../src/channels/notices/ntfy.ts';
import { receiver } from '../../hub/support/receiver.ts';

/** A way to send notices. Each sink joins the list below, and so the tests of all notices. */
interface SinkUnderTest {
  name: string;
  /** The environment that turns it on. */
  env: Record<string, string>;
  /** The text that a person reads. */
  show(notice: NoticeText): Promise<string>;
  /** The lines of that text which say what the answer approves, without marks and escapes. */
  approved(text: string): string[];
}

export const sinks: SinkUnderTest[] = [
  {
    name: 'webhook',
    env: { FERMATA_NOTIFY_WEBHOOK: 'https://hooks.example/T/B/secret' },
    async show(notice) {
      const { sink, received } = await receiver();
      await sink.send(notice, 'key');
      return received[0]?.body.text;
    },
    approved(text) {
      const fence = /^```\n([\s\S]*?)\n```$/m.exec(text)?.[1] ?? '';
      return unmarked(fence).replaceAll('⟨U+0060⟩', '`').split('\n');
    },
  },
  {
    name: 'ntfy',
    env: { FERMATA_NOTIFY_NTFY: 'https://ntfy.example/topic' },
    async show(notice) {
      const { url, received } = await receiver();
      await ntfySink(new URL('/topic', url), undefined).send(notice, 'key');
      return received[0]?.body.message;
    },
    approved: barred,
  },
  {
    name: 'desktop',
    env: { FERMATA_NOTIFY_DESKTOP: '1' },
    show: async (notice) => {
      const text = desktopCommand('linux', notice).at(-1) ?? '';
      // notify-send reads backslashes as escapes, then its markup.
      return unmarked(text.replaceAll('\\\\', '\\'));
    },
    approved: barred,
  },
];

function barred(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.startsWith('│ ') ? [line.slice(2)] : []));
}

function unmarked(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
