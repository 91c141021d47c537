import { parseJson } from '../config/parse-json.ts';
import { checkIssues, type Issue } from './issue.ts';

/** Reads the output of `gh issue list --json …`. Empty output means no issues. */
export function issuesFromJson(text: string, source: string): Issue[] {
  return text.trim() === '' ? [] : checkIssues(parseJson(text, source), source);
}
