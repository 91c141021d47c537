import type { Command } from 'commander';
import { cmd } from '../../schema/command-line.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Project } from '../../schema/project.ts';
import type { Run } from '../../schema/run.ts';
import { openSessions, type SessionState, stateOf } from '../../sessions/open-sessions.ts';
import { describeDuration } from '../../text/duration.ts';
import type { CommonOptions } from '../command.ts';
import { type CommandContext, withKnownLedger } from '../command-context.ts';
import { print, printJson, tell } from '../output.ts';
import { type Column, tablePrinter } from '../table.ts';

export function define(command: Command): void {
  command
    .description(
      'List the sessions of agents that you started yourself and connected with "fermata connect", in all projects: which one waits for you?',
    )
    .addHelpText('after', '\nExamples:\n  fermata sessions\n  fermata sessions --json')
    .action(async (options: CommonOptions) => {
      await withKnownLedger(options, (context) => list(context, options));
    });
}

interface Row {
  project: Project;
  run: Run;
  state: SessionState;
  waiting: Notification[];
}

async function list({ ledger, by }: CommandContext, { format }: CommonOptions): Promise<void> {
  const rows: Row[] = [];
  for (const project of await ledger.projects.list()) {
    const place = { ledger, projectId: project.id, person: by('desk') };
    for (const { run, waiting } of await openSessions(place))
      rows.push({ project, run, waiting, state: stateOf(run, waiting) });
  }
  if (format === 'json')
    return printJson({
      sessions: rows.map(({ project, run, state, waiting }) => ({
        ...{ session: run.sessionId, agent: run.agent, state, project: project.name, folder: run.cwd },
        ...{ run: run.id, since: run.startedAt, waiting: waiting.map(({ id }) => id) },
      })),
    });
  if (rows.length === 0) return tell(`No connected session is open. To connect them: ${cmd`connect`}`);
  await print(tablePrinter(columns)(rows).join('\n'));
}

const columns: Column<Row>[] = [
  { heading: 'SESSION', cell: ({ run }) => run.sessionId?.slice(0, 8) ?? '' },
  { heading: 'AGENT', cell: ({ run }) => run.agent },
  { heading: 'STATE', cell: ({ state, waiting }) => [state, ...waiting.map(({ id }) => id)].join(' ') },
  { heading: 'PROJECT', cell: ({ project }) => project.name },
  { heading: 'SINCE', cell: ({ run }) => describeDuration((Date.now() - Date.parse(run.startedAt)) / 1000) },
  { heading: 'ABOUT', cell: ({ run }) => run.data.prompt ?? '', flexible: true },
];
