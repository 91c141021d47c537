import { join, relative, resolve, sep } from 'node:path';
import { type Command, Option } from 'commander';
import packageJson from '../../../package.json' with { type: 'json' };
import { colorsOn } from '../../channels/colors.ts';
import { type Audit, auditPlan } from '../../plan/audit/audit-plan.ts';
import { type Fix, fixesFor } from '../../plan/audit/fix.ts';
import { auditText, githubAnnotations, type Paint, sarifLog } from '../../plan/audit/formats.ts';
import { gatherSurroundings } from '../../plan/audit/gather-surroundings.ts';
import { writeEdits } from '../../plan/grammar/edit-plan.ts';
import { type PlanOnDisk, readPlan } from '../../plan/grammar/read-plan.ts';
import type { CommonOptions } from '../command.ts';
import { exit } from '../exit.ts';
import { print, printJson, tell } from '../output.ts';
import { plansThere, planTarget } from '../plan/target.ts';

const pc = colorsOn(process.stdout);

interface AuditOptions extends Omit<CommonOptions, 'format'> {
  format: 'text' | 'json' | 'sarif' | 'github';
  strict?: true;
  fix?: true;
}

export function define(command: Command): void {
  command
    .description('Check a plan: phases, gates, notes, dependencies, agents, and placeholders.')
    .argument('[plan]', 'the folder of a plan, or its master file (default: the only plan)')
    .addOption(
      new Option('--format <format>', 'text for people, json or sarif for programs, github for annotations')
        .choices(['text', 'json', 'sarif', 'github'])
        .default('text'),
    )
    .option('--strict', 'treat warnings as errors')
    .option('--fix', 'fix what is safe to fix: the path of the notes, the spelling of a status')
    .addHelpText(
      'after',
      `
Examples:
  fermata audit plans/login
  fermata audit plans/login --strict --format github
  fermata audit plans/login --format sarif > audit.sarif

Exit codes: 0 passed, 1 errors (with --strict also warnings), 2 no readable master file.`,
    )
    .action(async (given: string | undefined, options: AuditOptions) => {
      const target = planTarget(given, options);
      const before = readPlan(target);
      const fixes = options.fix ? fixesFor(before.plan) : [];
      const found = fixes.length > 0 ? fixed(target, before, fixes) : before;
      const audit = judge(found, options);
      if (found.plan.problems.some(({ code }) => code.startsWith('MASTER_'))) {
        await report(audit, found, options, fixes, 'unreadable');
        process.exitCode = exit.wrongUse;
        return;
      }
      await report(audit, found, options, fixes, 'audited');
      process.exitCode = audit.passed ? exit.done : exit.failed;
    });
}

function judge({ folder, plan }: PlanOnDisk, { strict }: AuditOptions): Audit {
  const audit = auditPlan(plan, gatherSurroundings(folder, plan));
  return strict ? { ...audit, passed: audit.issues.length === 0 } : audit;
}

function fixed(target: string, { folder, plan }: PlanOnDisk, fixes: Fix[]): PlanOnDisk {
  const edits = fixes.map(({ edit }) => edit);
  writeEdits(folder, plan, edits);
  for (const { edit, message } of fixes) tell(`Fixed ${locator(folder)(edit.path)}:${edit.line}: ${message}`);
  return readPlan(target);
}

async function report(
  audit: Audit,
  { folder, plan }: PlanOnDisk,
  options: AuditOptions,
  fixes: Fix[],
  state: 'audited' | 'unreadable',
): Promise<void> {
  const { format, fix } = options;
  const locate = locator(folder, format);
  if (state === 'unreadable') {
    for (const { code, message, suggestion, file } of audit.issues) {
      const others = code === 'MASTER_NOT_FOUND' ? plansThere(options) : '';
      tell(`fermata: ${message} (${locate(file)}) ${suggestion}${others}`);
    }
  }
  switch (format) {
    case 'text':
      if (state === 'audited') await print(auditText(audit, plan, locate, paint));
      return;
    case 'json': {
      const changes = fixes.map(({ edit: { path, line }, message }) => ({ file: path, line, message }));
      return printJson(fix ? { ...audit, fixed: changes } : audit);
    }
    case 'sarif':
      return printJson(sarifLog(audit.issues, locate, packageJson.version));
    case 'github':
      return audit.issues.length === 0 ? undefined : print(githubAnnotations(audit.issues, locate));
  }
}

/** A file's path as seen from here; GitHub resolves the files of its annotations from the top of the checkout. */
function locator(folder: string, format: AuditOptions['format'] = 'text'): (file: string) => string {
  const from = resolve((format === 'github' && process.env.GITHUB_WORKSPACE) || '.');
  return (file) => {
    const path = relative(from, join(folder, file));
    return path === '..' || path.startsWith(`..${sep}`) ? join(folder, file) : path;
  };
}

const paint: Paint = {
  error: (text) => pc.bold(pc.red(text)),
  warning: (text) => pc.bold(pc.yellow(text)),
  strong: pc.bold,
  faint: pc.dim,
};
