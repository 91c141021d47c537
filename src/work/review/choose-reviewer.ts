/** An agent by name, with program and model if they are not the default ones. */
export interface NamedAgent {
  agent: string;
  agentCommand?: string | undefined;
  model?: string | undefined;
}

/** Who reviews, and what the head of the review says about it. */
export interface ChosenReviewer extends NamedAgent {
  head: string;
}

/** The default reviewers, in order of preference. */
export const reviewers = ['claude', 'codex', 'gemini'] as const;

/**
 * The configured reviewer; otherwise an installed agent other than the author; otherwise a new session of the author.
 * Undefined if no agent is known.
 */
export function chooseReviewer(
  configured: NamedAgent | undefined,
  author: NamedAgent | undefined,
  installed: readonly string[],
): ChosenReviewer | undefined {
  if (configured) return { ...configured, head: headOf(configured.agent, author) };
  const other = installed.find((agent) => agent !== familyOf(author));
  if (other) return { agent: other, head: headOf(other, author) };
  const agent = author ?? installed.map((name) => ({ agent: name })).at(0);
  return agent && { ...agent, head: headOf(agent.agent, author) };
}

/** What the head of a review says: who reviewed whose work. */
export function headOf(agent: string, author: NamedAgent | undefined): string {
  if (!author) return `Reviewed by ${agent}.`;
  return familyOf({ agent }) === familyOf(author)
    ? `Reviewed by a new session of ${agent}, the agent that wrote the code.`
    : `Reviewed by ${agent}; ${author.agent} wrote the code.`;
}

/** `claude-mcp` and `claude-text` are ways to reach `claude`. */
const familyOf = (named: NamedAgent | undefined) => named?.agent.replace(/^claude-(?:mcp|text)$/, 'claude');
