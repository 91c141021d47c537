import { FermataError } from '../../schema/error.ts';
import { checkIssues, type Issue } from './issue.ts';

/** Reads what `gh issue list --json …` printed. Nothing at all is no issue. */
export function issuesFromJson(text: string, source: string): Issue[] {
  const json = text.replace(/^\uFEFF/, '');
  if (json.trim() === '') return [];
  return checkIssues(parsedJson(json, source), source);
}

export function parsedJson(json: string, source: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new FermataError('invalid', `${source} is no JSON: ${(error as Error).message}.`, { cause: error });
  }
}
