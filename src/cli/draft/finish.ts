import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Conducted } from '../../agents/conducting.ts';
import type { RunEnd, Usage } from '../../agents/driver.ts';
import { draftedPlan } from '../../planning/draft/drafted-plan.ts';
import { writePlanFolder } from '../../planning/write-plan-folder.ts';
import type { Run } from '../../schema/run.ts';
import type { CommonOptions } from '../command.ts';
import { exit } from '../exit.ts';
import { print, printJson, tell } from '../output.ts';
import type { Session } from '../session.ts';
import { type DraftData, draftData } from './draft-run.ts';

/** What became of a draft, told apart: written, waiting for a person, broken off, failed. */
export async function finishDraft(
  session: Session,
  { run, end, waiting, rounds }: Conducted,
  usage: Usage,
  options: CommonOptions,
  interrupted: boolean,
): Promise<void> {
  if (end.reason === 'ok') return writeDraft(session, run, end.text, { rounds, usage }, options);
  const goesOn = `"fermata draft --resume ${run.id}" goes on.`;
  const open = waiting.find((notification) => notification.status === 'open');
  if (interrupted)
    return stop(options, run, 'interrupted', `Interrupted. Nothing is lost: ${goesOn}`, exit.interrupted);
  if (open) {
    const how = `Answer ${open.id} with "fermata answer ${open.id} VALUE"; then ${goesOn}`;
    return stop(options, run, 'waiting', `${end.message} ${how}`, exit.waiting);
  }
  const kept = keepAnswer(session, run, end.text);
  const said = kept ? ` What there is is kept in ${kept}.` : '';
  const again = waiting.length > 0 ? ` Nothing is lost: ${goesOn}` : '';
  return stop(options, run, end.reason, `${end.message}${said}${again}`, exitOf(end), kept);
}

/** Writes the plan that an agent has given. */
export async function writeDraft(
  session: Session,
  run: Run,
  text: string,
  told: { rounds: number; usage?: Usage },
  options: CommonOptions,
): Promise<void> {
  const data: DraftData = draftData(run);
  const asked = data.adaptive ? [] : await session.ledger.runs.questions(run.projectId, run.id);
  const plan = draftedPlan(
    text,
    asked.filter((notification) => notification.source !== 'approval'),
  );
  if ('problem' in plan) {
    const kept = keepAnswer(session, run, text);
    const message = `The agent's answer is no plan: ${plan.problem} It is kept in ${kept}.`;
    return stop(options, run, 'no_plan', message, exit.failed, kept);
  }
  try {
    writePlanFolder(data.output, plan.files);
  } catch (error) {
    const message = `The plan could not be written: ${(error as Error).message}. Nothing is lost: "fermata draft --resume ${run.id}" writes it.`;
    return stop(options, run, 'not_written', message, exit.failed);
  }
  const files = plan.files.map((file) => file.name);
  if (options.format === 'json') {
    await printJson({
      run: run.id,
      output: data.output,
      files,
      audited: false,
      ...told,
      problems: plan.problems,
    });
    return;
  }
  await print(`${data.output}\n${files.map((name) => `  ${name}`).join('\n')}`);
  for (const problem of plan.problems) tell(`Left out: ${problem.message}`);
  const tokens = told.usage ? `; ${told.usage.inputTokens} tokens in, ${told.usage.outputTokens} out` : '';
  tell(`Written, not audited yet. ${told.rounds} round(s) of questions${tokens}.`);
}

async function stop(
  options: CommonOptions,
  run: Run,
  code: string,
  message: string,
  exitCode: number,
  kept?: string,
): Promise<void> {
  tell(`fermata: ${message}`);
  if (options.format === 'json') {
    await printJson({ error: { code, message }, run: run.id, ...(kept ? { kept } : {}) });
  }
  process.exitCode = exitCode;
}

function exitOf({ reason }: RunEnd): number {
  return reason === 'too_many_rounds' || reason === 'interrupted' ? exit.failed : exit.agent;
}

/** An answer that is no plan is still somebody's work. */
function keepAnswer(session: Session, run: Run, text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const folder = join(session.settings.home.value, 'projects', run.projectId, 'drafts');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${run.id}.md`);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}
