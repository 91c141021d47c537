/** What an agent said, for people. A result that is JSON says what it has to say in its summary. */
export function said(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return text;
  const result = parsed(trimmed);
  const { summary } = (result ?? {}) as { summary?: unknown };
  return typeof summary === 'string' && summary.trim() !== '' ? summary : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Prose in braces, or a result that was cut.
    return undefined;
  }
}
