import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { writeFile } from '../../files/write-at-once.ts';
import { decisionsMarkdown } from '../../ledger/decisions/decision-log.ts';
import { counted } from '../../schema/counted.ts';
import type { Decision } from '../../schema/decision.ts';
import { FermataError } from '../../schema/error.ts';
import type { Project } from '../../schema/project.ts';
import { visible } from '../../schema/visible.ts';
import { allDecisions } from '../all-decisions.ts';
import { type CommonOptions, refuseStray } from '../command.ts';
import { type CommandContext, withKnownLedger } from '../command-context.ts';
import { localTime } from '../local-time.ts';
import { print, printJson, tell } from '../output.ts';
import { type Column, tablePrinter } from '../table.ts';

interface ListOptions extends CommonOptions {
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
  fermata decisions --markdown          as the text of DECISIONS.md
  fermata decisions --write             keep DECISIONS.md in the project's folder up to date
  fermata decisions revoke d-4k7qz2m9t1`,
    );
  decisions
    .command('list', { isDefault: true })
    .summary('list what was decided')
    .description('List the decisions of this project, or print them as DECISIONS.md.')
    .allowExcessArguments()
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
        const id = await standingId(context, project.id, given);
        await context.ledger.decisions.revoke(project.id, id, context.by('command'));
        if (options.format === 'json') return printJson({ id, standing: false });
        await print(`Revoked: ${id}. The question will be asked again, with this answer recommended.`);
      });
    });
}

/** The full id of a standing decision; anything else stays as given. */
async function standingId({ ledger }: CommandContext, projectId: string, given: string): Promise<string> {
  const all = await allDecisions(ledger, projectId);
  const found = all.filter(({ id, standing }) => standing && id.startsWith(given));
  if (found.length > 1) throw new FermataError('invalid', `"${given}" matches several ids. Type more of it.`);
  return found[0]?.id ?? given;
}

const nothing = 'Nothing has been decided here yet. Each answer that a person gives becomes a decision.';

async function list(context: CommandContext, options: ListOptions): Promise<void> {
  const project = await context.knownProject();
  const { name } = context.settings.project.value;
  const decisions = project ? await allDecisions(context.ledger, project.id) : [];
  const current = decisions.filter(({ replacedBy }) => replacedBy === null);
  const markdown = () => visible(decisionsMarkdown(project?.name ?? name, current));
  if (options.write) {
    const path = join(folderOf(context, project), 'DECISIONS.md');
    if (decisions.length > 0) writeGenerated(path, markdown(), '# Decisions of ');
    if (options.format === 'json') return printJson({ path, decisions: current.length });
    tell(
      decisions.length > 0
        ? `Wrote ${counted(current.length, 'decision')} to ${path}.`
        : `${nothing} ${path} was not written.`,
    );
    return;
  }
  if (options.format === 'json') return printJson({ decisions });
  if (options.markdown) return print(markdown());
  if (decisions.length === 0) {
    tell(nothing);
    return;
  }
  const shown = [
    ...columns,
    ...(decisions.some((each) => each.standing) ? [standing] : []),
    ...(decisions.some(({ replacedBy }) => replacedBy !== null) ? [replaced] : []),
  ];
  await print(tablePrinter(shown)(decisions).join('\n'));
}

/** This project's folder here; for another project, the folder on record. */
function folderOf({ settings }: CommandContext, project: Project | undefined): string {
  const { value, from } = settings.project;
  const here = from !== '--project' && from !== 'FERMATA_PROJECT' && (!project || project.id === value.id);
  const folder = here ? value.root : project?.root;
  if (folder) return folder;
  throw new FermataError('invalid', `Project ${value.name} has no folder on record. Run this in its folder.`);
}

const columns: Column<Decision>[] = [
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
