import type { NoticeText } from './notice-text.ts';
import type { NoticeSink } from './sink.ts';
import { postJson } from './sink.ts';

/** A webhook in Slack's format, which Slack, Mattermost, Rocket.Chat and Discord (with /slack) accept. */
export function webhookSink(url: URL): NoticeSink {
  return {
    name: 'webhook',
    send: (notice, key) => postJson(url, { text: slackText(notice) }, { 'idempotency-key': key }),
  };
}

function slackText({ title, questions }: NoticeText): string {
  const parts = questions.map(({ text, context, shown, more, options, notes, link }) =>
    [
      plain(text),
      ...(context === undefined ? [] : [plain(context)]),
      ...shown.flatMap(({ caption, lines }) => [plain(caption), fenced(lines)]),
      ...(more === undefined ? [] : [plain(more)]),
      ...options.map((option) => `• ${plain(option)}`),
      ...notes.map(plain),
      ...(link === undefined ? [] : [`<${link}|Answer>`]),
    ].join('\n'),
  );
  return [`*${plain(title)}*`, ...parts].join('\n\n');
}

/** Nothing inside a fence is read as markup; a fence inside it is broken so that it does not end the block. */
const fenced = (lines: string[]) =>
  `\`\`\`\n${plain(lines.join('\n')).replaceAll('```', '``⟨U+0060⟩')}\n\`\`\``;

/** Otherwise a question's text could mention the whole channel or show a link under another name. */
const plain = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
