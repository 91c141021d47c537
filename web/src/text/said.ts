/** An agent's message, for people. If the result is JSON, its summary is shown. */
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
    // Prose in braces, or a truncated result.
    return undefined;
  }
}
