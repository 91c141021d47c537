import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { writeFile } from '../../files/write-at-once.ts';
import { decisionsMarkdown } from '../../ledger/decisions/decision-log.ts';
import { cmd } from '../../schema/command-line.ts';
import { counted } from '../../schema/counted.ts';
import type { Decision } from '../../schema/decision.ts';
import { FermataError } from '../../schema/error.ts';
import type { Project } from '../../schema/project.ts';
import { visible } from '../../schema/visible.ts';
import { allDecisions, eachDecision, isOneTime } from '../all-decisions.ts';
import { type CommonOptions, refuseStray, wholeNumber } from '../command.ts';
import { type CommandContext, withKnownLedger } from '../command-context.ts';
import { localTime } from '../local-time.ts';
import { print, printJson, tell } from '../output.ts';
import { beginOf } from '../since.ts';
import { type Column, tablePrinter } from '../table.ts';

interface ListOptions extends CommonOptions {
  since?: string;
  search?: string;
  limit?: number;
  approvals?: boolean;
  markdown?: true;
  write?: true;
}

export function define(decisions: Command): void {
  decisions
    .description(
      'List what people decided here. If a question comes up again, the earlier answer is offered.',
    )
    .addHelpText(
      'after',
      `
Examples:
  fermata decisions                     the same as "fermata decisions list"
  fermata decisions --search database --since 30d
  fermata decisions --markdown          as the text of DECISIONS.md
  fermata decisions --write             keep DECISIONS.md in the project's folder up to date
  fermata decisions revoke d-4k7qz2m9t1

To change a decision: fermata amend d-4k7qz2m9t1 VALUE`,
    );
  decisions
    .command('list', { isDefault: true })
    .summary('list what was decided')
    .description('List the decisions of this project, newest first, or print them as DECISIONS.md.')
    .allowExcessArguments()
    .option('--since <when>', 'only newer ones: 30d, 4h, or a date such as 2026-11-01')
    .option('--search <words>', 'only those with all these words in the question, the answer or the note')
    .option(
      '-n, --limit <number>',
      'at most this many (default: 50 in a table)',
      wholeNumber('--limit', 1, 2 ** 53 - 1),
    )
    .option('--approvals', 'list what was allowed once instead, such as a command of an agent')
    .option('--markdown', 'print the text of DECISIONS.md')
    .option('--write', "write DECISIONS.md into the project's folder")
    .addHelpText(
      'after',
      '\nExamples:\n  fermata decisions list --markdown | less\n  fermata decisions list --write',
    )
    .action(async (options: ListOptions, command: Command) => {
      refuseStray(decisions, command.args);
      await withKnownLedger(options, (context) => list(context, options));
    });
  decisions
    .command('revoke')
    .summary('ask again instead of answering automatically')
    .description(
      'Stop using a standing decision (an answer given with --always), and ask again from now on. It stays on record. To change any other answer, use "fermata amend".',
    )
    .argument('<id>', 'the decision (the beginning of its id is enough)')
    .addHelpText('after', '\nExample:\n  fermata decisions revoke d-4k7qz2m9t1')
    .action(async (given: string, options: CommonOptions) => {
      await withKnownLedger(options, async (context) => {
        const project = await context.project();
        const { id } = await context.ledger.decisions.get(given);
        await context.ledger.decisions.revoke(project.id, id, context.by('command'));
        if (options.format === 'json') return printJson({ id, standing: false });
        await print(`Revoked: ${id}. The question will be asked again, with this answer recommended.`);
      });
    });
}

const nothing = 'Nothing has been decided here yet. Each answer that a person gives becomes a decision.';

async function list(context: CommandContext, options: ListOptions): Promise<void> {
  const project = await context.knownProject();
  if (options.write || options.markdown) return asMarkdown(context, project, options);
  const { shown, hasMore, others } = await selected(context, project, options);
  if (options.format === 'json') return printJson({ decisions: shown });
  if (shown.length > 0) {
    const columns = [
      ...usual,
      ...(shown.some((each) => each.standing) ? [standing] : []),
      ...(shown.some(({ replacedBy }) => replacedBy !== null) ? [replaced] : []),
    ];
    await print(tablePrinter(columns)(shown).join('\n'));
  } else if (options.since !== undefined || options.search !== undefined) tell('Nothing matches.');
  else tell(options.approvals ? 'Nothing has been approved here yet.' : nothing);
  if (hasMore) tell('There are older ones: narrow the list with --since or --search, or raise --limit.');
  if (others > 0) tell(`${counted(others, 'one-time approval')} apart: ${cmd`decisions --approvals`}`);
}

const LIMIT = 50;

/** What the options ask for. `others`: how many one-time approvals were left out on the way. */
async function selected(
  { ledger }: CommandContext,
  project: Project | undefined,
  { since, search, limit, approvals = false, format }: ListOptions,
): Promise<{ shown: Decision[]; hasMore: boolean; others: number }> {
  const most = limit ?? (format === 'json' ? Number.POSITIVE_INFINITY : LIMIT);
  const from = since === undefined ? undefined : beginOf(since);
  const words = (search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const shown: Decision[] = [];
  let others = 0;
  if (!project) return { shown, hasMore: false, others };
  for await (const each of eachDecision(ledger, project.id)) {
    if (from !== undefined && each.at < from) break;
    const text = [each.question, each.answer, each.note].flat().join('\n').toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    if (isOneTime(each) !== approvals) others += approvals ? 0 : 1;
    else if (shown.length === most) return { shown, hasMore: true, others };
    else shown.push(each);
  }
  return { shown, hasMore: false, others };
}

/** The current decisions as `DECISIONS.md`, printed or written. */
async function asMarkdown(
  context: CommandContext,
  project: Project | undefined,
  { write, format }: ListOptions,
): Promise<void> {
  const all = project ? await allDecisions(context.ledger, project.id) : [];
  const current = all.filter((each) => each.replacedBy === null && !isOneTime(each));
  const text = visible(decisionsMarkdown(project?.name ?? context.settings.project.value.name, current));
  if (!write) return format === 'json' ? printJson({ decisions: current }) : print(text);
  const path = join(folderOf(context, project), 'DECISIONS.md');
  if (all.length > 0) writeGenerated(path, text, '# Decisions of ');
  if (format === 'json') return printJson({ path, decisions: current.length });
  tell(
    all.length > 0
      ? `Wrote ${counted(current.length, 'decision')} to ${path}.`
      : `${nothing} ${path} was not written.`,
  );
}

/** This project's folder here; for another project, the folder on record. */
function folderOf({ settings }: CommandContext, project: Project | undefined): string {
  const { value, from } = settings.project;
  const here = from !== '--project' && from !== 'FERMATA_PROJECT' && (!project || project.id === value.id);
  const folder = here ? value.root : project?.root;
  if (folder) return folder;
  throw new FermataError('invalid', `Project ${value.name} has no folder on record. Run this in its folder.`);
}

const usual: Column<Decision>[] = [
  { heading: 'ID', cell: ({ id }) => id },
  { heading: 'WHEN', cell: ({ at }) => localTime(at) },
  { heading: 'QUESTION', cell: ({ question }) => question, flexible: true },
  { heading: 'ANSWER', cell: ({ answer }) => [answer].flat().join(', '), flexible: true },
  { heading: 'BY', cell: ({ by }) => by.actor.name },
];
const standing: Column<Decision> = { heading: 'STANDING', cell: (each) => (each.standing ? 'yes' : '') };
const replaced: Column<Decision> = { heading: 'REPLACED BY', cell: ({ replacedBy }) => replacedBy ?? '' };

/**
 * Writes a file that Fermata generates, atomically: a reader sees the old text or the new one. Leaves a file alone that
 * does not begin with `firstLine`, because somebody else wrote it.
 */
function writeGenerated(path: string, text: string, firstLine: string): void {
  const before = readIfThere(path);
  if (before !== undefined && !before.replace(/^\uFEFF/, '').startsWith(firstLine)) {
    throw new FermataError(
      'conflict',
      `${path} was not written by Fermata (its first line is not "${firstLine}…"), so it was not changed. Move it away and try again.`,
    );
  }
  writeFile(path, text);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new FermataError('conflict', `${path} cannot be read (${message}). Move it away and try again.`, {
      cause: error,
    });
  }
}
