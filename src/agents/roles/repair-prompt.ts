const MOST_QUOTED = 20_000;

/** Tells an agent once what was wrong with its answer. */
export function repairPrompt(prompt: string, answer: string, reason: string): string {
  return `${prompt}

# Your last answer could not be used

${reason} Answer again, with the JSON object and nothing else. This was your answer:

${answer.trim().slice(0, MOST_QUOTED) || '(nothing)'}
`;
}
