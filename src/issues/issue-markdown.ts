/** An issue as stored in a file; the folder assigns a missing number. */
export interface MarkdownIssue {
  number: number | undefined;
  title: string;
  body: string;
  labels: string[];
  assignees: string[];
  state: string | undefined;
  milestone: string | undefined;
  url: string | undefined;
}

/**
 * Title and number come from the lines between `---` at the top (`title`, `number`, `labels`, …), else from the first
 * heading and from the file's name (`012-save-fails.md`).
 */
export function issueFromMarkdown(source: string, fileName: string): MarkdownIssue {
  const text = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const { fields, rest } = frontMatter(text);
  const heading = /^\s*#[ \t]+(\S.{0,299})(?:\n|$)/.exec(rest);
  const number = fields.number ?? /^#?(\d{1,9})(?:\D|$)/.exec(fileName)?.[1];
  return {
    number: number !== undefined && /^\d{1,9}$/.test(number) ? Number(number) : undefined,
    title:
      fields.title ??
      heading?.[1]?.trimEnd().replace(/(?<!\s)\s+#+$/, '') ??
      fileName.replace(/^#?\d+[-_. ]*/, '').replace(/[-_]+/g, ' '),
    body: fields.title === undefined && heading ? rest.slice(heading[0].length) : rest,
    labels: list(fields.labels),
    assignees: list(fields.assignees),
    state: fields.state,
    milestone: fields.milestone,
    url: fields.url,
  };
}

/** `key: value` lines; nothing richer is needed here. */
function frontMatter(text: string): { fields: Record<string, string>; rest: string } {
  if (!text.startsWith('---\n')) return { fields: {}, rest: text };
  const end = text.indexOf('\n---', 3);
  const after = end < 0 ? -1 : text.indexOf('\n', end + 1);
  if (end < 0 || end > 20_000) return { fields: {}, rest: text };
  const fields = text
    .slice(4, end)
    .split('\n')
    .flatMap((line) => {
      const [, key, value] = /^([A-Za-z]\w{0,40}):[ \t]*(.*)$/.exec(line.trimEnd()) ?? [];
      return key && value ? [[key.toLowerCase(), value.replace(/^(["'])(.*)\1$/, '$2')]] : [];
    });
  return { fields: Object.fromEntries(fields), rest: after < 0 ? '' : text.slice(after + 1) };
}

function list(value = ''): string[] {
  return value
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((entry) => entry.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((entry) => entry !== '');
}
