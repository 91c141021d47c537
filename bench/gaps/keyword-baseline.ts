// The ancestor's method, as its vectors show it: an issue has a gap if it contains none of the gap's words.
const words: Record<string, RegExp> = {
  acceptance_criteria:
    /-\s*\[[ xX]\]|acceptance criteria|definition of done|done when|success criteria|\bshould\b|\bmust\b|requirements?:/i,
  tech_stack:
    /\b(?:python|javascript|typescript|java|kotlin|rust|go|golang|ruby|php|swift|elixir|react|vue|angular|svelte|django|flask|fastapi|express|node|nodejs|spring|rails|laravel|postgres|postgresql|mysql|sqlite|mongodb|redis|docker|kubernetes|aws|azure|gcp|rest|graphql|grpc|api|html|css|sql)\b/i,
  dependencies:
    /#\d+|depends? on|blocked by|\bblocks?\b|\brequires?\b|\bafter\b|\bbefore\b|prerequisite|dependenc/i,
  validation:
    /\btest(?:s|ing|ed)?\b|\bverif(?:y|ied|ication)\b|\bvalidat(?:e|ed|ion)\b|coverage|\bqa\b|pytest|jest/i,
  context: /problem|background|context|motivation|\bcurrently\b|\bissue\b|\bbecause\b|\bwhy\b|use case/i,
};
const structure = /^#{1,6}\s|^\s*[-*]\s/m;

export function keywordGaps({ title, body }: { title: string; body: string | null }): string[] {
  const text = body ?? '';
  const all = `${title}\n${text}`;
  const missing = Object.entries(words).flatMap(([type, word]) => (word.test(all) ? [] : [type]));
  if (text.length < 100 || !structure.test(text)) missing.push('scope');
  return missing;
}
