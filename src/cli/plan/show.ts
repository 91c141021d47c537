import { basename } from 'node:path';
import { colorsOn } from '../../channels/colors.ts';
import { loadSettings } from '../../config/settings.ts';
import type { Phase, Plan, Problem } from '../../plan/grammar/plan.ts';
import { taskCounts } from '../../plan/grammar/plan.ts';
import { planJson } from '../../plan/grammar/plan-json.ts';
import { type PlanOnDisk, readPlan } from '../../plan/grammar/read-plan.ts';
import { statusLabels } from '../../plan/grammar/status.ts';
import { FermataError } from '../../schema/error.ts';
import { visible } from '../../schema/visible.ts';
import { planAsItStands } from '../../work/phases/overview.ts';
import type { CommonOptions } from '../command.ts';
import { withKnownLedger } from '../command-context.ts';
import { isMissing } from '../named-store.ts';
import { print, printJson, tell } from '../output.ts';
import { oneLine } from '../table.ts';
import { plansThere, planTarget } from './target.ts';

const pc = colorsOn(process.stdout);

export async function showPlan(target: string | undefined, options: CommonOptions): Promise<void> {
  const plan = await asItStands(openPlan(target, options), options);
  if (options.format === 'json') return printJson(planJson(plan));
  await print([...headOf(plan), ...plan.phases.flatMap(phaseLines)].join('\n'));
  for (const problem of plan.problems) tell(problemLine(problem));
}

/** The ledger knows more than the files if phases were run or reopened. */
async function asItStands({ plan, folder }: PlanOnDisk, options: CommonOptions): Promise<Plan> {
  if (isMissing(loadSettings(process.cwd(), process.env, options))) return plan;
  return withKnownLedger(options, async ({ ledger, knownProject }) => {
    const project = await knownProject();
    if (!project) return plan;
    return planAsItStands({ ledger, projectId: project.id, name: basename(folder), plan });
  });
}

function headOf({ title, metadata, phases }: Plan): string[] {
  const { githubIssues, githubRepo, created, jiraIssues } = metadata;
  const facts = [
    ...(created ? [`created ${created}`] : []),
    ...(githubRepo ? [githubRepo] : []),
    ...githubIssues.map((number) => `#${number}`),
    ...jiraIssues,
  ];
  const lines = [pc.bold(oneLine(title) || '(no title)')];
  if (facts.length > 0) lines.push(pc.dim(facts.map(oneLine).join(' · ')));
  if (phases.length === 0) lines.push('The plan has no phases.');
  return lines;
}

function phaseLines(phase: Phase): string[] {
  const { id, title, path, status, issues, dependsOn, file } = phase;
  const tasks = taskCounts(phase);
  const line = (name: string, values: string[]) =>
    values.length === 0 ? [] : [`  ${pc.dim(name.padEnd(9))} ${values.map(oneLine).join(', ')}`];
  return [
    '',
    `${pc.bold(`${oneLine(id)}  ${oneLine(title)}`)}  ${statusLabels[status]}  ${pc.dim(visible(path))}`,
    ...line(
      'after',
      dependsOn.map((dependency) => dependency.id ?? dependency.text),
    ),
    ...line(
      'issues',
      issues.map((number) => `#${number}`),
    ),
    ...(file?.gates ?? []).map(({ name, command }, index) => {
      const heading = pc.dim((index === 0 ? 'gates' : '').padEnd(9));
      // Print the command exactly as it will run, blanks included.
      const shown =
        command === null ? `${oneLine(name)} (no command)` : `${oneLine(name)}: ${visible(command)}`;
      return `  ${heading} ${shown}`;
    }),
    ...line('tasks', tasks.total === 0 ? [] : [`${tasks.done} of ${tasks.total} done`]),
    ...line('notes', file?.notes.output ? [file.notes.output.path] : []),
    ...line(
      'agents',
      (file?.agents ?? []).map(({ name, required }) => (required ? name : `${name} (optional)`)),
    ),
    ...line(
      'criteria',
      (file?.criteria ?? []).flatMap((criterion) => criterion.id ?? []),
    ),
  ];
}

function problemLine({ file, span, message }: Problem): string {
  return oneLine(`${file}:${span.line}: ${message}`);
}

/** The plan in a folder; throws if it has no readable master. */
function openPlan(target: string | undefined, options: CommonOptions): PlanOnDisk {
  const { plan, folder } = readPlan(planTarget(target, options));
  const fatal = plan.problems.find(({ code }) => code.startsWith('MASTER_'));
  if (!fatal) return { plan, folder };
  const others = fatal.code === 'MASTER_NOT_FOUND' ? plansThere(options) : '';
  throw new FermataError('invalid', `${fatal.message} (in ${folder}) ${fatal.suggestion}${others}`, {
    details: { code: fatal.code },
  });
}
