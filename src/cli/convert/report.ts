import { shownPath } from '../../files/real-path.ts';
import { counted } from '../../schema/counted.ts';
import type { SaidAgent } from '../../work/agent/choose-agent.ts';
import type { Context } from '../../work/context.ts';
import type { Converted } from '../../work/kinds/convert.ts';
import { tellIssues, tellList } from '../attempt-view.ts';
import type { CommonOptions } from '../command.ts';
import { exit } from '../exit.ts';
import { tellNextSteps } from '../next-steps.ts';
import { print, printJson, tell } from '../output.ts';
import { settlePlan } from '../settle-plan.ts';
import { type ConvertResult, convertResult } from './result.ts';

/** Prints the result and sets the exit code. */
export async function reportConvert(
  context: Context,
  converted: Converted,
  { format, ...said }: CommonOptions & SaidAgent,
): Promise<void> {
  const result = convertResult(converted);
  tellPerson(result);
  if (format === 'json') await printJson(result);
  else if (result.success) {
    await print([shownPath(result.output), ...result.files_created.map((name) => `  ${name}`)].join('\n'));
  }
  if (result.success) {
    if (format !== 'json') await settlePlan(context, result.output);
    tellNextSteps(result.output, said);
  }
  process.exitCode = exitOf(result);
}

function tellPerson(result: ConvertResult): void {
  const { success, issues, fidelity, output, backup, kept, error, attempts } = result;
  const lost = fidelity.map(({ kind, text, line }) => `- ${kind}: ${text} (line ${line})`);
  const others = issues.filter(({ code }) => !code.startsWith('LOST_'));
  tellIssues(success ? 'Audit warnings:' : 'Problems in the best attempt:', others);
  tellList('Missing from the plan:', lost);
  if (backup) tell(`The previous plan is kept in ${shownPath(backup)}.`);
  if (error) tell(`fermata: ${error.message}`);
  if (kept) tell(`The best attempt is kept in ${kept}. ${shownPath(output)} was not touched.`);
  if (!success) return;
  const spent = attempts.reduce((sum, { tokens }) => sum + tokens.input + tokens.output, 0);
  const tries = counted(attempts.length, 'attempt');
  tell(`Written after ${tries}${spent > 0 ? `, ${spent} tokens` : ''}.`);
}

function exitOf({ success, error }: ConvertResult): number {
  if (success) return exit.done;
  if (error?.code === 'interrupted') return exit.interrupted;
  return error?.code === 'audit_failed' || error?.code === 'fidelity_failed' ? exit.failed : exit.agent;
}
