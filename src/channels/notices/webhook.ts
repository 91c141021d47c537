import type { NoticeText } from './notice-text.ts';
import { postJson } from './post-json.ts';
import type { NoticeSink } from './sink.ts';

/** A webhook that takes Slack's format, as Slack, Mattermost, Rocket.Chat and Discord (with /slack) do. */
export function webhookSink(url: URL): NoticeSink {
  return {
    name: 'webhook',
    send: (notice, key) => postJson(url, { text: slackText(notice) }, { 'idempotency-key': key }),
  };
}

function slackText({ title, questions }: NoticeText): string {
  const parts = questions.map(({ text, options, link }) =>
    [
      plain(text),
      ...options.map((option) => `• ${plain(option)}`),
      ...(link === undefined ? [] : [`<${link}|Answer>`]),
    ].join('\n'),
  );
  return [`*${plain(title)}*`, ...parts].join('\n\n');
}

/** Else a question's text could call the whole channel or show a link under another name. */
const plain = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
