import { join } from 'node:path';
import type { Issue } from '../../issues/issue.ts';
import { namedIssues } from '../grammar/named-issues.ts';
import type { Plan } from '../grammar/plan.ts';
import { readPlan } from '../grammar/read-plan.ts';
import { plansIn } from '../plans-in.ts';

export interface Covered {
  issue: Issue;
  /** The folder of the finished plan. */
  folder: string;
}

/** The issues that a finished plan in one of these folders covers: one of its phases names them. */
export function coveredIssues(issues: Issue[], repo: string | undefined, folders: string[]): Covered[] {
  const finished = [...new Set(folders)]
    .flatMap((folder) => plansIn(folder).map((name) => readPlan(join(folder, name))))
    .filter(({ plan }) => isFinished(plan))
    .map(({ folder, plan }) => ({ folder, plan, titles: titlesIn(plan) }));
  return issues.flatMap((issue) => {
    const found = finished.find(({ plan, titles }) => covers(plan, titles, issue, repo));
    return found ? [{ issue, folder: found.folder }] : [];
  });
}

/** By number within one repository; if either side has no repository, the titles must match, if the plan has them. */
function covers(
  plan: Plan,
  titles: Map<string, number>,
  { number, title }: Issue,
  repo: string | undefined,
): boolean {
  const { githubRepo } = plan.metadata;
  const named = namedIssues(plan);
  if (githubRepo !== null && repo !== undefined) {
    return githubRepo.toLowerCase() === repo.toLowerCase() && named.has(number);
  }
  return named.has(titles.size > 0 ? (titles.get(flat(title)) ?? Number.NaN) : number);
}

const isFinished = ({ phases }: Plan) =>
  phases.length > 0 && phases.every(({ status }) => status === 'completed');

/** From the list `- #4 Title` under `## Issues`. */
function titlesIn({ files, master }: Plan): Map<string, number> {
  const file = files.get(master);
  const section =
    file && 'text' in file ? /^## Issues[ \t]*\r?\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(file.text) : null;
  const lines = (section?.[1] ?? '').matchAll(/^- #(\d+) (.+)$/gm);
  return new Map(Array.from(lines, ([, number, title = '']) => [flat(title), Number(number)]));
}

const flat = (title: string) =>
  title
    .replace(/\\(?=[\\`*_[\]<>|{}])/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
