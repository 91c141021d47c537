import { join } from 'node:path';
import type { Issue } from '../../issues/issue.ts';
import { issueText } from '../../issues/issue.ts';
import { limits } from '../../schema/limits.ts';
import type { MadeFrom } from '../../schema/made-from.ts';
import { visible } from '../../schema/visible.ts';
import { oneLine } from '../../text/lines.ts';
import { readMarkdown } from '../../text/markdown.ts';
import type { FileBlock } from '../file-blocks.ts';
import { MASTER } from '../grammar/parse-plan.ts';
import { namedIssues, type Plan } from '../grammar/plan.ts';
import { readPlan } from '../grammar/read-plan.ts';
import { plansIn } from '../plan-folder.ts';
import { answerText, assumed, type ResolvedQuestion, withAnswer } from './questions.ts';

export interface Origin {
  issues: Issue[];
  repo: string | undefined;
  resolved: ResolvedQuestion[];
}

/** Adds to an agent's master file what we know for sure: where it comes from, what was decided, what is assumed. */
export function completeMaster(files: FileBlock[], origin: Origin): FileBlock[] {
  return files.map((file) =>
    file.name.toUpperCase() === MASTER.toUpperCase()
      ? { ...file, content: completed(file.content, origin) }
      : file,
  );
}

function completed(content: string, { issues, repo, resolved }: Origin): string {
  const numbers = issues.map(({ number }) => `#${number}`).join(', ');
  const described = withField(withField(content, 'GitHub Repo', repo ?? 'N/A'), 'GitHub Issues', numbers);
  const sections = [
    ['Issues', issues.map(({ number, title }) => `- #${number} ${escaped(title)}`)],
    ['Decisions', withAnswer(resolved).map(decisionLine)],
    ['Assumptions', assumed(resolved).map(assumptionLine)],
  ] as const;
  return sections.reduce((text, [heading, lines]) => withLines(text, heading, lines), described);
}

/** Sets a field above the first section, or adds it below the title. */
function withField(text: string, name: string, value: string): string {
  const start = text.search(/^## /m);
  const head = start < 0 ? text : text.slice(0, start);
  const rest = start < 0 ? '' : text.slice(start);
  const line = `**${name}:** ${value}`;
  const there = new RegExp(`^(?:[-*] )?\\*\\*${name}s?:?\\*\\*.*$`, 'im');
  if (there.test(head)) return head.replace(there, () => line) + rest;
  const title = /^# .*/m.exec(head);
  const end = (title?.index ?? 0) + (title?.[0].length ?? 0);
  const below = head.slice(end).replace(/^\s+/, '');
  return `${head.slice(0, end)}\n\n${line}\n${below.startsWith('**') ? '' : '\n'}${below}${rest}`;
}

/** Adds lines at the top of a section; adds a missing section at the end. */
function withLines(text: string, heading: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  const block = lines.join('\n');
  const there = new RegExp(`^## ${heading}[ \\t]*$`, 'im').exec(text);
  if (!there) return `${text.trimEnd()}\n\n## ${heading}\n\n${block}\n`;
  const end = there.index + there[0].length;
  const below = text.slice(end).replace(/^\s+/, '');
  // Merges our list with the agent's own.
  return `${text.slice(0, end)}\n\n${block}\n${below.startsWith('- ') ? '' : '\n'}${below}`;
}

function decisionLine({ question, resolution }: ReturnType<typeof withAnswer>[number]): string {
  const { by, at, answer } = resolution;
  const mark = resolution.kind === 'decided' ? 'decided before by' : 'answered by';
  const id = resolution.kind === 'decided' ? resolution.decision : resolution.notification;
  const note = resolution.kind === 'answered' && resolution.note ? ` ${escaped(resolution.note)}` : '';
  return `- ${escaped(question.question)} **${escaped(answerText(answer))}**${note} (${mark} ${escaped(by)} on ${at.slice(0, 10)}; ${id})`;
}

function assumptionLine({ question, resolution }: ReturnType<typeof assumed>[number]): string {
  return `- ${escaped(question.question)} ${escaped(question.assumed)} (${escaped(resolution.reason)})`;
}

/** On one line, with Markdown and template characters escaped. */
function escaped(text: string): string {
  return oneLine(visible(text)).replace(/[\\`*_[\]<>|{}]/g, '\\$&');
}

/**
 * The items under `## Assumptions` of a plan's master that its author wrote. Excludes those for a question of its origin,
 * because it may have been answered since.
 */
export function writtenAssumptions(
  plan: Pick<Plan, 'files' | 'master'>,
  origin: MadeFrom | undefined,
): string[] {
  const ours = (origin?.questions ?? []).map(({ question }) => escaped(question));
  return itemsUnder(plan, 'assumptions').filter(
    (item) => item !== '' && !ours.some((question) => item.startsWith(question)),
  );
}

/** The items of a list under this heading of the master. */
function itemsUnder({ files, master }: Pick<Plan, 'files' | 'master'>, heading: string): string[] {
  const file = files.get(master);
  let isInside = false;
  return readMarkdown(file && 'text' in file ? file.text : '').blocks.flatMap((block) => {
    if (block.kind === 'heading' && block.level <= 2) isInside = block.text.toLowerCase() === heading;
    return isInside && block.kind === 'item' && block.depth === 1 ? [oneLine(block.text)] : [];
  });
}

/** The limits for all issue texts together, and for one of them, in characters. */
const MAX_TEXT = 4 * 1024 * 1024;
const MAX_ISSUE_TEXT = 64 * 1024;

/** What the ledger stores about the issues and questions that a plan is made from. */
export function planOrigin(
  { issues, asker }: { issues: Issue[]; asker: string },
  resolved: readonly ResolvedQuestion[],
): MadeFrom {
  const room = Math.min(MAX_ISSUE_TEXT, Math.floor(MAX_TEXT / Math.max(1, issues.length)));
  return {
    asker,
    issues: issues.map((issue) => ({
      number: issue.number,
      title: issue.title.slice(0, limits.taskTitle),
      text: issueText(issue).slice(0, room),
    })),
    questions: resolved.map(({ question, resolution }) => ({
      question: question.question,
      issues: question.issues,
      notification: resolution.notification ?? null,
      assumed: question.assumed,
      reason:
        resolution.kind === 'assumed'
          ? resolution.reason.slice(0, limits.reason)
          : 'The answer was withdrawn.',
    })),
  };
}

interface Covered {
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
function titlesIn(plan: Plan): Map<string, number> {
  return new Map(
    itemsUnder(plan, 'issues').flatMap((item) => {
      const [, number, title = ''] = /^#(\d+) (.+)$/.exec(item) ?? [];
      return number === undefined ? [] : [[flat(title), Number(number)]];
    }),
  );
}

const flat = (title: string) => oneLine(title.replace(/\\(?=[\\`*_[\]<>|{}])/g, '')).toLowerCase();
