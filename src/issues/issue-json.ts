import { parseJson } from '../config/parse-json.ts';
import { checkIssues, type Issue } from './issue.ts';

/** Reads what `gh issue list --json …` printed. Nothing at all is no issue. */
export function issuesFromJson(text: string, source: string): Issue[] {
  return text.trim() === '' ? [] : checkIssues(parseJson(text, source), source);
}
