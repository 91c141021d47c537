import { join } from 'node:path';
import type { Issue } from '../issues/issue.ts';
import type { Plan } from '../plan/plan.ts';
import { readPlan } from '../plan/read-plan.ts';
import { plansIn } from '../plans-in.ts';

export interface Covered {
  issue: Issue;
  /** The folder of the finished plan. */
  folder: string;
}

/** The issues that a finished plan in one of these folders of plans has covered. */
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

/** By number in one repository; where one of the two has none, the titles have to agree if the plan has them. */
function covers(
  plan: Plan,
  titles: Set<string>,
  { number, title }: Issue,
  repo: string | undefined,
): boolean {
  const { githubIssues, githubRepo } = plan.metadata;
  if (githubRepo !== null && repo !== undefined) {
    return githubRepo.toLowerCase() === repo.toLowerCase() && githubIssues.includes(number);
  }
  return titles.size > 0 ? titles.has(flat(title)) : githubIssues.includes(number);
}

const isFinished = ({ phases }: Plan) =>
  phases.length > 0 && phases.every(({ status }) => status === 'completed');

/** From the list `- #4 Title` under `## Issues`. */
function titlesIn({ files, master }: Plan): Set<string> {
  const file = files.get(master);
  const section =
    file && 'text' in file ? /^## Issues[ \t]*\r?\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(file.text) : null;
  return new Set(
    Array.from((section?.[1] ?? '').matchAll(/^- #\d+ (.+)$/gm), ([, title = '']) => flat(title)),
  );
}

const flat = (title: string) =>
  title
    .replace(/\\(?=[\\`*_[\]<>|{}])/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
