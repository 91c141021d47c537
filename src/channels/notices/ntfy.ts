import { type NoticeText, noticeLines } from './notice-text.ts';
import type { NoticeSink } from './sink.ts';
import { postJson } from './sink.ts';

/** A topic of ntfy, such as https://ntfy.sh/my-topic. */
export function ntfySink(topicUrl: URL, token: string | undefined): NoticeSink {
  const topic = topicUrl.pathname.replace(/^.*\//, '');
  const server = new URL(topicUrl.pathname.slice(0, -topic.length), topicUrl);
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return {
    name: 'ntfy',
    send: (notice, key) =>
      postJson(server, { topic, ...ntfyMessage(notice) }, { ...headers, 'idempotency-key': key }),
  };
}

function ntfyMessage({ title, questions }: NoticeText): Record<string, unknown> {
  const message = questions.map((question) => noticeLines(question).join('\n')).join('\n\n');
  const links = questions.flatMap(({ link }) => link ?? []);
  const [first] = links;
  return {
    title,
    message,
    ...(first === undefined ? {} : { click: first }),
    // ntfy shows at most three buttons.
    actions: links.slice(0, 3).map((url, index) => ({
      action: 'view',
      label: links.length > 1 ? `Answer ${index + 1}` : 'Answer',
      url,
    })),
  };
}
