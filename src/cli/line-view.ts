import { toolSummary } from '../agents/stream/tool-summary.ts';
import type { Report } from '../work/report.ts';
import { tell } from './output.ts';
import { progressLine } from './progress-line.ts';
import { tellReport } from './tell-report.ts';

/** Prints what a use case reports; at a terminal, one line shows the current activity. */
export function lineView() {
  const line = progressLine();
  let doing = '';
  const report = (event: Report): void => {
    switch (event.kind) {
      case 'progress':
        line.show(event.text);
        break;
      case 'attempt':
        doing = `Attempt ${event.number} of ${event.of}: ${event.doing}`;
        if (process.stderr.isTTY) line.show(doing);
        else tell(doing);
        break;
      case 'activity':
        if (event.event.kind === 'tool')
          line.show(`${doing}: ${toolSummary(event.event.name, event.event.input)}`);
        break;
      default:
        line.clear();
        tellReport(event);
    }
  };
  return { report, close: line.clear };
}
