import type { Command } from 'commander';
import { cmd } from '../../schema/command-line.ts';
import type { CommonOptions } from '../command.ts';
import { withKnownLedger } from '../command-context.ts';
import { print, printJson, tell } from '../output.ts';
import { gatherStatus, type ProjectStatus } from '../status/gather.ts';
import { nextSteps, statusText } from '../status/print-status.ts';
import { taskJson } from '../task-view.ts';

interface StatusOptions extends CommonOptions {
  here?: true;
}

export function define(command: Command): void {
  command
    .description(
      'Show what runs and what waits, in all projects: each task with its state, its agent and what it does now.',
    )
    .option('--here', 'only the project of this folder')
    .addHelpText(
      'after',
      `
Examples:
  fermata status
  fermata status --here --format json

The states: waiting for you, waiting for a gate, working, failed, blocked, paused, stopped, not started, done.`,
    )
    .action(async (options: StatusOptions) => {
      await withKnownLedger(options, async (context) => {
        const only = options.here ? await context.knownProject() : undefined;
        const projects = options.here && !only ? [] : await gatherStatus(context.ledger, only);
        if (options.format === 'json') return printJson({ projects: projects.map(projectJson) });
        if (projects.length === 0) {
          return tell(
            `Nothing runs and nothing waits. Begin with ${cmd`plan-from-issues`}, ${cmd`draft IDEA`} or ${cmd`demo`}.`,
          );
        }
        await print(statusText(projects));
        for (const line of [...nextSteps(projects), `All commands: ${cmd`--help`}`]) tell(line);
      });
    });
}

function projectJson({ project, lines, notStarted, done, open }: ProjectStatus) {
  return {
    ...{ id: project.id, name: project.name, open_questions: open, not_started: notStarted, done },
    tasks: lines.map(({ task, state, question, agent, since, doing, spent }) => ({
      ...{
        ...taskJson(task),
        state,
        agent: agent ?? null,
        since: since ?? null,
        doing: doing ?? null,
        spent,
      },
      question: question?.id ?? null,
    })),
  };
}
