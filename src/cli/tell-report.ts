import type { Report } from '../app/report.ts';
import type { Issue } from '../plan/audit/issue.ts';
import { cmd } from '../schema/command-line.ts';
import { counted } from '../schema/counted.ts';
import { tell } from './output.ts';
import { shownPath } from './shown-path.ts';

/** Tells the person at the terminal what a use case reports; what agents do is for a live view. */
export function tellReport(event: Report): void {
  for (const line of linesOf(event)) tell(line);
}

function linesOf(event: Report): string[] {
  switch (event.kind) {
    case 'trusted':
      return [`Trusted: ${event.files.join(', ')}.`];
    case 'warnings':
      return warningLines(event.warnings, event.plan, event.folder);
    case 'phase_gone':
      return [`${event.task} is no longer in the plan, so its questions are withdrawn.`];
    case 'already_done':
      return [`All phases of ${event.plan} are already done.`];
    case 'running': {
      const { plan, agent, featureBranch, notes } = event;
      return [`Running ${plan} with ${agent}, and merging phases into ${featureBranch}.`, ...notes];
    }
    case 'phase':
      return [`${event.phase}: ${event.text}`];
    case 'notice':
      return [event.text];
    case 'agent':
    case 'phase_lost':
      return [];
    default:
      return event satisfies never;
  }
}

/** More of them than this are only counted. */
const MOST = 20;

function warningLines(warnings: readonly Issue[], plan: string, folder: string): string[] {
  if (warnings.length === 0) return [];
  return [
    `The audit of ${plan} has ${counted(warnings.length, 'warning')}:`,
    ...warnings
      .slice(0, MOST)
      .map(({ code, message, file, line }) => `  ${file}:${line} ${code}: ${message}`),
    ...(warnings.length > MOST ? [`  List all of them: ${cmd`audit ${shownPath(folder)}`}`] : []),
  ];
}
